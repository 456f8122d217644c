// Whether a player of Azul can force a lead by ending the game with this round: a plain search over the game in C, as an
// independent oracle of the solver. It shares no line with Tessella, prunes nothing but by alpha-beta, and merges only
// positions that are equal.

#include "azul.c"

enum { ENTRIES = 1 << 22, NO_ANSWER = -1 };

typedef struct {
    word check;                                         // 63 bits of another hash, and the answer; 0 is empty
} Entry;

static Entry entries[ENTRIES];
static long visited, limit, history[2][MOVES];
static int claimant, bound;

static word mix(word number) {                          // the finaliser of MurmurHash3
    number = (number ^ number >> 33) * 0xFF51AFD7ED558CCDULL;
    number = (number ^ number >> 33) * 0xC4CEB9FE1A85EC53ULL;
    return number ^ number >> 33;
}

static word hash(const Game *game, word salt) {
    word found = mix(salt + (word)(game->player + 4 * (game->marker == 2)));
    for (int source = 0; source < SOURCES; source++) found = mix(found ^ game->source[source]);
    for (int player = 0; player < 2; player++) {
        const Board *board = &game->board[player];
        word lines = board->fallen > 7 ? 7 : board->fallen;
        for (int line = 0; line < 5; line++)
            lines = lines << 6 | board->held[line] << 3 | (board->held[line] ? board->colour[line] : 0);
        found = mix(found ^ lines);
    }
    return found;
}

static int value(const Game *game) {                    // twice the lead; on equal points 1 or -1 by rows [AZ52]
    int points[2], rows[2];
    for (int player = 0; player < 2; player++) {
        points[player] = game->board[player].score + bonus(&game->board[player]);
        rows[player] = complete(game->board[player].row);
    }
    int lead = points[claimant] - points[!claimant], more = rows[claimant] - rows[!claimant];
    return lead ? 2 * lead : (more > 0) - (more < 0);
}

static int at_end(const Game *game) {
    Game end = *game;
    end_round(&end);
    return end.over && value(&end) >= bound;
}

static long order_of(const Game *game, int move) {       // the order in which moves are tried
    int source = move / 30, colour = move % 30 / 6, line = move % 6;
    const Board *board = &game->board[game->player];
    int number = BYTE(game->source[source], colour), laid = 0, points = 0;
    if (line < FLOOR) {
        int room = line + 1 - board->held[line], column = (colour + line) % 5;
        laid = number < room ? number : room;
        points = 2 * laid;
        if (laid == room) points += 10 * (1 + RUN[board->row[line]][column] + RUN[board->column[column]][line]);
    }
    int fallen = board->fallen + number - laid + (source == CENTRE && game->marker == 2);
    int cost = COST[fallen > 7 ? 7 : fallen] - COST[board->fallen > 7 ? 7 : board->fallen];
    return history[game->player][move] + 1000L * (points - 10 * cost);
}

static int reaches(const Game *game) {
    if (!game->tiles_left) return at_end(game);
    if (++visited > limit) return NO_ANSWER;
    word check = hash(game, 1) | 1;
    Entry *entry = &entries[hash(game, 2) % ENTRIES];
    if (entry->check >> 1 == check >> 1) return entry->check & 1;
    uint8_t moves[MOVES + 8];
    long order[MOVES];
    int count = list(game, moves), mine = game->player == claimant, answer = !mine;
    for (int place = 0; place < count; place++) order[place] = order_of(game, moves[place]);
    for (int place = 0; place < count; place++) {
        int best = place;
        for (int other = place + 1; other < count; other++)
            if (order[other] > order[best]) best = other;
        int move = moves[best];
        moves[best] = moves[place];
        order[best] = order[place];
        Game after = *game;
        take(&after, move);
        int found = reaches(&after);
        if (found == NO_ANSWER) return NO_ANSWER;
        if (found == mine) {
            history[game->player][move] += 1L << (game->tiles_left > 12 ? 12 : game->tiles_left);
            answer = mine;
            break;
        }
    }
    entry->check = (check & ~1ULL) | answer;
    return answer;
}

// The position: six sources of five counts, the marker, the player, the round; then for each board five rows of the wall
// as bits, five colours and five numbers of tiles of the lines, the fallen pieces and the score.
int can_force(const int *numbers, int seat, int least, long most_visited, long *positions) {
    Game game;
    memset(&game, 0, sizeof game);
    memset(entries, 0, sizeof entries);
    memset(history, 0, sizeof history);
    prepare();
    for (int place = 0; place < SOURCES * COLOURS; place++) {
        int source = place / COLOURS, colour = place % COLOURS, number = *numbers++;
        game.source[source] += (word)number << 8 * colour;
        if (number) game.holders |= 1ULL << (8 * colour + source);
        game.tiles_left += number;
    }
    game.marker = *numbers++, game.player = *numbers++, game.round = *numbers++;
    game.in_bag = 1;                                    // with two players there are always tiles for another round
    for (int player = 0; player < 2; player++) {
        Board *board = &game.board[player];
        for (int row = 0; row < 5; row++) {
            board->row[row] = *numbers++;
            for (int column = 0; column < 5; column++)
                if (board->row[row] >> column & 1) {
                    board->column[column] |= 1 << row;
                    board->on_wall |= 1ULL << (8 * ((column - row + 5) % 5) + row);
                }
        }
        for (int line = 0; line < 5; line++) board->colour[line] = *numbers++;
        for (int line = 0; line < 5; line++) board->held[line] = *numbers++;
        board->open = 31 * EACH & ~board->on_wall;
        for (int line = 0; line < 5; line++)
            if (board->held[line]) {
                board->open &= ~(EACH << line);
                if (board->held[line] <= line) board->open |= 1ULL << (8 * board->colour[line] + line);
            }
        board->fallen = *numbers++, board->score = *numbers++;
    }
    visited = 0, limit = most_visited, claimant = seat, bound = least;
    int answer = reaches(&game);
    *positions = visited;
    return answer;
}
