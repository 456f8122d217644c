// Blockers! for two to five players, as fast as we can write it in C: the yardstick of tessella.fast, and an
// independent oracle. It shares no line with the games of Tessella.
//
// The board is a word of 128 bits, ten for a row, so that nothing runs over the edge; there is one for the tiles of each
// colour. Faces: rows A to I are 0 to 8, columns 9 to 17, blocks 18 to 26, the wild 27. The numbers in square brackets
// are rules of docs/rules/blockers.en.md.

#include <stdint.h>
#include <string.h>

typedef uint64_t word;
typedef unsigned __int128 grid;

enum { FACES = 28, CELLS = 81, RACK = 5, STAYING = 4, PLAYS = FACES - STAYING, MOST_MOVES = 256, ASIDE = 81 };
enum { START, DRAW, MOVE, END };                        // what a trace tells

typedef struct {
    grid tiles, stuck;                                  // on the board; and those without which their group would split
    uint8_t supply[FACES];
    int in_supply, unplayed;
    uint32_t rack;
} Colour;

typedef struct {
    Colour colour[5];
    uint8_t owner[CELLS];                               // the colour on a cell, from 1; 0 is none
    uint8_t captured[5][5];                             // by seat and colour
    int seats, colours, seat, plays_left;
} Game;

typedef struct {
    long plies, legal, rounds, points;                  // instead of rounds: captured tiles
} Totals;

typedef struct {
    int *at, *end;
} Trace;

static grid CELL[CELLS], HOUSE[FACES];
static uint8_t CELL_OF[128];

static void prepare(void) {
    memset(HOUSE, 0, sizeof HOUSE);
    for (int cell = 0; cell < CELLS; cell++) {
        int row = cell / 9, column = cell % 9, bit = 10 * row + column;
        CELL[cell] = (grid)1 << bit;
        CELL_OF[bit] = cell;
        HOUSE[row] |= CELL[cell];
        HOUSE[9 + column] |= CELL[cell];
        HOUSE[18 + row / 3 * 3 + column / 3] |= CELL[cell];
        HOUSE[27] |= CELL[cell];
    }
}

static inline uint32_t below(word *generator, uint32_t stop) {      // xorshift64*
    *generator ^= *generator >> 12;
    *generator ^= *generator << 25;
    *generator ^= *generator >> 27;
    return ((*generator * 2685821657736338717ULL >> 32) * stop) >> 32;
}

static void tell(Trace *trace, int kind, int one, int two) {
    if (!trace || trace->end - trace->at < 3) return;
    *trace->at++ = kind, *trace->at++ = one, *trace->at++ = two;
}

// Groups

static grid connected(grid tiles, grid from) {
    for (grid before = 0; from != before;) {
        before = from;
        from |= (from << 10 | from >> 10 | from << 1 | from >> 1) & tiles;
    }
    return from;
}

static int encloses(grid tiles) {                                   // may be wrong when it says yes, never when it says no
    grid east = tiles >> 1, south = tiles >> 10, both = tiles >> 11;
    return (tiles & east & south & ~both) && (tiles & east & ~south & both) && (tiles & ~east & south & both) &&
           (~tiles & east & south & both);
}

static void find_stuck(Colour *colour) {                            // [BL12]
    grid tiles = colour->tiles, north = tiles << 10, south = tiles >> 10, west = tiles << 1, east = tiles >> 1;
    grid a = north & ~(east & north >> 1), b = east & ~(south & south >> 1);    // ends of runs of neighbours, clockwise
    grid c = south & ~(west & south << 1), d = west & ~(north & north << 1);
    colour->stuck = tiles & ((a & b) | (c & d) | ((a | b) & (c | d)));
    if (!encloses(tiles)) return;
    for (grid left = colour->stuck; left; left &= left - 1) {
        grid tile = left & -left, near = (tile << 10 | tile >> 10 | tile << 1 | tile >> 1) & tiles;
        if (!(near & ~connected(tiles & ~tile, near & -near))) colour->stuck &= ~tile;
    }
}

static int count_groups(grid tiles) {                               // [BL21]
    int groups = 0;
    for (; tiles; groups++) tiles &= ~connected(tiles, tiles & -tiles);
    return groups;
}

static int score(const Game *game, int seat) {
    int points = 0, most = 0;
    for (int colour = seat; colour < game->colours; colour += game->seats)
        points += count_groups(game->colour[colour].tiles);
    for (int colour = 0; colour < game->colours; colour++)
        if (game->captured[seat][colour] > most) most = game->captured[seat][colour];
    return points + most;
}

// A turn

static void draw(Game *game, int which, word *generator, Trace *trace) {        // [BL03, BL16]
    Colour *colour = &game->colour[which];
    uint32_t place = below(generator, colour->in_supply);
    int face = colour->supply[place];
    colour->supply[place] = colour->supply[--colour->in_supply];
    colour->rack |= 1u << face;
    if (trace) tell(trace, DRAW, which, face);
}

static void set_up(Game *game, int seats, word *generator, Trace *trace) {
    memset(game, 0, sizeof *game);
    game->seats = seats;
    game->colours = seats == 2 ? 4 : seats;
    game->plays_left = PLAYS * game->colours;
    game->seat = below(generator, seats);
    if (trace) tell(trace, START, game->seat, 0);
    for (int which = 0; which < game->colours; which++) {
        Colour *colour = &game->colour[which];
        for (int face = 0; face < FACES; face++) colour->supply[face] = face;
        colour->in_supply = colour->unplayed = FACES;
        for (int tile = 0; tile < RACK; tile++) draw(game, which, generator, trace);
    }
}

static inline int list_word(word cells, int first, int shift, uint16_t *moves) {
    int count = 0;
    for (; cells; cells &= cells - 1) moves[count++] = first + CELL_OF[shift + __builtin_ctzll(cells)];
    return count;
}

static inline int list(const Game *game, uint16_t *moves) {         // 2296 × colour + 82 × face + cell [BL10 to BL17]
    grid stuck = 0;
    int count = 0;
    for (int which = 0; which < game->colours; which++) stuck |= game->colour[which].stuck;
    for (int which = game->seat; which < game->colours; which += game->seats) {
        const Colour *colour = &game->colour[which];
        if (colour->unplayed == STAYING) continue;
        grid open = ~(stuck | colour->tiles);
        for (uint32_t rack = colour->rack; rack; rack &= rack - 1) {
            int face = __builtin_ctz(rack), first = 2296 * which + 82 * face;
            grid cells = open & HOUSE[face];
            count += list_word((word)cells, first, 0, moves + count);
            count += list_word((word)(cells >> 64), first, 64, moves + count);
        }
    }
    for (int which = game->seat; !count && which < game->colours; which += game->seats)
        if (game->colour[which].unplayed > STAYING)
            for (uint32_t rack = game->colour[which].rack; rack; rack &= rack - 1)
                moves[count++] = 2296 * which + 82 * __builtin_ctz(rack) + ASIDE;
    return count;
}

static inline void put(Game *game, int move, word *generator, Totals *totals, Trace *trace) {
    int which = move / 2296, face = move % 2296 / 82, cell = move % 82;
    Colour *colour = &game->colour[which];
    if (cell != ASIDE) {
        if (game->owner[cell]) {                                    // [BL14]
            int other = game->owner[cell] - 1;
            game->captured[game->seat][other]++;
            game->colour[other].tiles ^= CELL[cell];
            find_stuck(&game->colour[other]);
            totals->rounds++;
        }
        game->owner[cell] = which + 1;
        colour->tiles |= CELL[cell];
        find_stuck(colour);
    }
    if (trace) tell(trace, MOVE, move, 0);
    colour->rack ^= 1u << face;
    colour->unplayed--;
    game->plays_left--;
    game->seat = game->seat + 1 == game->seats ? 0 : game->seat + 1;
    if (colour->in_supply) draw(game, which, generator, trace);
}

static void play_game(int seats, word *generator, Totals *totals, Trace *trace) {
    Game game;
    uint16_t moves[MOST_MOVES];
    set_up(&game, seats, generator, trace);
    while (game.plays_left) {
        int count = list(&game, moves);
        totals->legal += count;
        totals->plies++;
        put(&game, moves[below(generator, count)], generator, totals, trace);
    }
    for (int seat = 0; seat < seats; seat++) {
        int points = score(&game, seat);
        totals->points += points;
        if (trace) tell(trace, END, seat, points);
    }
}

void play(int seats, long games, word seed, Totals *totals) {
    word generator = seed * 0x9E3779B97F4A7C15ULL + 1;
    prepare();
    for (long game = 0; game < games; game++) play_game(seats, &generator, totals, 0);
}

long trace(int seats, long games, word seed, int *numbers, long room) {
    word generator = seed * 0x9E3779B97F4A7C15ULL + 1;
    Totals totals = {0};
    Trace trace = {numbers, numbers + room};
    prepare();
    for (long game = 0; game < games; game++) play_game(seats, &generator, &totals, &trace);
    return trace.at - numbers;
}
