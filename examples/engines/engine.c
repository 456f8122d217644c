/* A Tessella engine in C: plays any legal move, but lets tiles fall only if it must.
 * gcc -O2 -o engine engine.c && tessella engine --check ./engine */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char moves[65536]; /* the legal moves of this turn, separated by spaces */

static int starts(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

/* Azul writes a move to the floor line with a dash at its end, Blockers! a discard. */
static int falls(const char *move) {
    return move[strlen(move) - 1] == '-';
}

static void go(void) {
    char *chosen = NULL;
    int seen = 0, safe = 0;
    for (char *move = strtok(moves, " "); move != NULL; move = strtok(NULL, " ")) {
        if (safe && falls(move))
            continue;
        if (!safe && !falls(move))
            safe = 1, seen = 0; /* the first safe move: forget the others */
        if (rand() % ++seen == 0)
            chosen = move; /* each one seen so far is equally likely */
    }
    if (chosen == NULL)
        puts("error there is no position: send moves first");
    else
        printf("move %s\n", chosen);
    moves[0] = '\0';
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* send every line at once */
    while (getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, "tessella 1") == 0)
            puts("name Careful C\nauthor Tessella\ntitle azul/1\ntitle blockers/1\ntitle duel/1\nok");
        else if (starts(line, "new azul/1 ") || starts(line, "new blockers/1 ") || starts(line, "new duel/1 "))
            moves[0] = '\0', puts("ok");
        else if (starts(line, "view {") || starts(line, "position "))
            puts("ok"); /* this engine needs no rules: the moves are enough */
        else if (starts(line, "moves "))
            snprintf(moves, sizeof moves, "%s", line + 6), puts("ok");
        else if (strcmp(line, "go") == 0 || starts(line, "go "))
            go();
        else if (strcmp(line, "quit") == 0)
            break;
        else if (strcmp(line, "stop") != 0)
            puts("error unknown command");
    }
    free(line);
    return 0;
}
