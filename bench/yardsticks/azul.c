// Azul for two players on the coloured wall, as fast as we can write it in C: the yardstick of tessella.fast, and an
// independent oracle. It shares no line with the games of Tessella.
//
// A heap of tiles is a word with a byte for each colour. Sources are counted from 0, the centre is 5; lines from 0, the
// floor is 5. The numbers in square brackets are rules of docs/rules/azul.en.md.

#include <stdint.h>
#include <string.h>

typedef uint64_t word;

enum { COLOURS = 5, FACTORIES = 5, CENTRE = 5, SOURCES = 6, FLOOR = 5, MOVES = 180, LAST_ROUND = 50 };
enum { LIST, MASK };                                    // what is made of the legal moves before one is picked
enum { DEAL, MOVE, SCORES, END };                       // what a trace tells

#define EACH 0x0101010101ULL                            // one in every byte
#define BYTE(heap, colour) ((unsigned)((heap) >> 8 * (colour)) & 255)

typedef struct {
    uint8_t row[5], column[5];                          // the wall twice: its rows and its columns, five bits each
    uint8_t colour[5], held[5];                         // pattern lines
    word open;                                          // for each colour, the lines that accept it, a bit each
    word on_wall;                                       // for each colour, the wall rows that have it, a bit each
    int fallen, score;
} Board;

typedef struct {
    word source[SOURCES];
    word holders;                                       // for each colour, the sources that hold it, a bit each
    uint8_t bag[100], lid[COLOURS];
    int in_bag, tiles_left, marker;                     // the marker is with a player, or in the centre (2)
    int player, start, round, over;
    Board board[2];
} Game;

typedef struct {
    long plies, legal, rounds, points;
} Totals;

typedef struct {
    int *at, *end;                                      // where the next number goes, and where there is no more room
} Trace;

static uint8_t RUN[32][5];                              // points of a run through a place, given the others' bits
static word LINES[64];                                  // the places of the set bits, a byte each
static uint8_t COUNT[64];
static const int COST[8] = {0, 1, 2, 4, 6, 8, 11, 14};

static void prepare(void) {
    for (int bits = 0; bits < 32; bits++)
        for (int place = 0; place < 5; place++) {
            int first = place, last = place;
            while (first > 0 && bits >> (first - 1) & 1) first--;
            while (last < 4 && bits >> (last + 1) & 1) last++;
            RUN[bits][place] = last > first ? last - first + 1 : 0;
        }
    for (int bits = 0; bits < 64; bits++) {
        LINES[bits] = COUNT[bits] = 0;
        for (int line = 0; line < 6; line++)
            if (bits >> line & 1) LINES[bits] |= (word)line << 8 * COUNT[bits]++;
    }
}

// Chance

static inline uint32_t below(word *generator, uint32_t stop) {      // xorshift64*
    *generator ^= *generator >> 12;
    *generator ^= *generator << 25;
    *generator ^= *generator >> 27;
    return ((*generator * 2685821657736338717ULL >> 32) * stop) >> 32;
}

static void pour_lid(Game *game) {
    for (int colour = 0; colour < COLOURS; colour++) {
        memset(game->bag + game->in_bag, colour, game->lid[colour]);
        game->in_bag += game->lid[colour];
        game->lid[colour] = 0;
    }
}

static void deal(Game *game, word *generator) {                     // [AZ03, AZ40]
    game->holders = game->tiles_left = game->source[CENTRE] = 0;
    for (int factory = 0; factory < FACTORIES; factory++) {
        word heap = 0;
        for (int tile = 0; tile < 4; tile++) {
            if (!game->in_bag) pour_lid(game);
            if (!game->in_bag) break;
            uint32_t place = below(generator, game->in_bag);
            int colour = game->bag[place];
            game->bag[place] = game->bag[--game->in_bag];
            heap += 1ULL << 8 * colour;
            game->holders |= 1ULL << (8 * colour + factory);
            game->tiles_left++;
        }
        game->source[factory] = heap;
    }
    game->marker = 2;
    game->player = game->start;
    game->round++;
}

static void set_up(Game *game, word *generator) {
    memset(game, 0, sizeof *game);
    for (int tile = 0; tile < 100; tile++) game->bag[tile] = tile / 20;
    game->in_bag = 100;
    game->board[0].open = game->board[1].open = 31 * EACH;
    game->start = below(generator, 2);
    deal(game, generator);
}

// Tiling the wall, and the end

static void tile(Game *game, Board *board, int line) {              // [AZ20, AZ22]
    int colour = board->colour[line], column = (colour + line) % 5;
    int points = RUN[board->row[line]][column] + RUN[board->column[column]][line];
    board->score += points ? points : 1;
    board->row[line] |= 1 << column;
    board->column[column] |= 1 << line;
    board->on_wall |= 1ULL << (8 * colour + line);
    board->held[line] = 0;
    board->open |= (EACH << line) & ~board->on_wall;
    game->lid[colour] += line;
}

static int complete(const uint8_t rows[5]) {
    int count = 0;
    for (int row = 0; row < 5; row++) count += rows[row] == 31;
    return count;
}

static int bonus(const Board *board) {                              // [AZ51]
    int points = 2 * complete(board->row) + 7 * complete(board->column);
    for (int colour = 0; colour < COLOURS; colour++) points += 10 * (BYTE(board->on_wall, colour) == 31);
    return points;
}

static void end_round(Game *game) {
    for (int player = 0; player < 2; player++) {
        Board *board = &game->board[player];
        for (int line = 0; line < 5; line++)
            if (board->held[line] > line) tile(game, board, line);
        board->score -= COST[board->fallen > 7 ? 7 : board->fallen];  // [AZ23]
        if (board->score < 0) board->score = 0;
        board->fallen = 0;
        if (game->marker == player) game->start = player;           // [AZ24]
    }
    int tiles = game->in_bag;
    for (int colour = 0; colour < COLOURS; colour++) tiles += game->lid[colour];
    game->over = complete(game->board[0].row) || complete(game->board[1].row) || !tiles || game->round == LAST_ROUND;
}

// Drafting

static inline int list(const Game *game, uint8_t *moves) {          // 30 × source + 6 × colour + line
    word open = game->board[game->player].open | 32 * EACH;
    int count = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        unsigned lines = BYTE(open, colour);
        word first = LINES[lines] + 6 * colour * (EACH | EACH << 8);
        for (unsigned holders = BYTE(game->holders, colour); holders; holders &= holders - 1) {
            word six = first + 30 * (word)__builtin_ctz(holders) * (EACH | EACH << 8);
            memcpy(moves + count, &six, 8);                         // all six lines at once; the next overwrite the rest
            count += COUNT[lines];
        }
    }
    return count;
}

static inline void take(Game *game, int move) {                     // [AZ10 to AZ17]
    int source = move / 30, colour = move % 30 / 6, line = move % 6;
    Board *board = &game->board[game->player];
    word heap = game->source[source];
    int number = BYTE(heap, colour);
    heap &= ~(255ULL << 8 * colour);
    if (source == CENTRE) {
        game->source[CENTRE] = heap;
        game->holders &= ~(1ULL << (8 * colour + CENTRE));
        if (game->marker == 2) game->marker = game->player, board->fallen++;
    } else {
        game->source[source] = 0;
        game->source[CENTRE] += heap;
        game->holders &= ~(EACH << source);
        game->holders |= ((heap + 127 * EACH) & 128 * EACH) >> 2;   // a byte that is not 0: the centre's bit
    }
    game->tiles_left -= number;
    if (line < FLOOR) {
        int room = line + 1 - board->held[line], laid = number < room ? number : room;
        number -= laid;
        board->held[line] += laid;
        board->colour[line] = colour;
        board->open &= ~(EACH << line);
        board->open |= (word)(laid < room) << (8 * colour + line);
    }
    board->fallen += number;
    game->lid[colour] += number;                                    // the floor is cleared before the lid is poured
    game->player ^= 1;
}

// Play

static void tell(Trace *trace, int kind, const int *numbers, int count) {
    if (!trace || trace->end - trace->at < count + 1) return;
    *trace->at++ = kind;
    for (int place = 0; place < count; place++) *trace->at++ = numbers[place];
}

static void tell_deal(Trace *trace, const Game *game) {
    int counts[1 + FACTORIES * COLOURS] = {game->start};
    for (int place = 0; place < FACTORIES * COLOURS; place++)
        counts[1 + place] = BYTE(game->source[place / COLOURS], place % COLOURS);
    tell(trace, DEAL, counts, 1 + FACTORIES * COLOURS);
}

static void tell_scores(Trace *trace, int kind, const Game *game) {
    tell(trace, kind, (int[]){game->board[0].score, game->board[1].score}, 2);
}

static inline int pick(const Game *game, int mode, uint8_t *mask, word *generator, Totals *totals) {
    uint8_t moves[MOVES + 8];
    int count = list(game, moves);
    totals->legal += count;
    if (mode == MASK) {
        memset(mask, 0, MOVES);
        for (int place = 0; place < count; place++) mask[moves[place]] = 1;
    }
    return moves[below(generator, count)];
}

static inline __attribute__((always_inline)) void play_game(int mode, word *generator, Totals *totals, Trace *trace) {
    Game game;
    uint8_t mask[MOVES];
    set_up(&game, generator);
    if (trace) tell_deal(trace, &game);
    while (!game.over) {
        int move = pick(&game, mode, mask, generator, totals);
        take(&game, move);
        totals->plies++;
        if (trace) tell(trace, MOVE, &move, 1);
        if (game.tiles_left) continue;
        end_round(&game);
        if (trace) tell_scores(trace, SCORES, &game);
        if (game.over) break;
        deal(&game, generator);
        if (trace) tell_deal(trace, &game);
    }
    for (int player = 0; player < 2; player++) {
        game.board[player].score += bonus(&game.board[player]);
        totals->points += game.board[player].score;
    }
    totals->rounds += game.round;
    if (trace) tell_scores(trace, END, &game);
    __asm__ volatile("" ::"r"(mask) : "memory");                    // a mask that nobody reads is written all the same
}

void play(int mode, long games, word seed, Totals *totals) {
    word generator = seed * 0x9E3779B97F4A7C15ULL + 1;
    prepare();
    for (long game = 0; game < games; game++)
        if (mode == LIST) play_game(LIST, &generator, totals, 0);
        else play_game(MASK, &generator, totals, 0);
}

long trace(int mode, long games, word seed, int *numbers, long room) {
    word generator = seed * 0x9E3779B97F4A7C15ULL + 1;
    Totals totals = {0};
    (void)mode;
    Trace trace = {numbers, numbers + room};
    prepare();
    for (long game = 0; game < games; game++) play_game(LIST, &generator, &totals, &trace);
    return trace.at - numbers;
}
