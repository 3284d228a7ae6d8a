/* Compares this library, one position at a time and in bulk, on every kernel, with results of python-chess
 * (`answers.tsv.gz` and `stress-answers.tsv.gz` in the folder SETWISE_DATA, or excerpts). */
#define _POSIX_C_SOURCE 200809L
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 20000, MAX_COLUMNS = 64, MAX_LINE = 4096 };

static void die(const char *what, const char *which)
{
    fprintf(stderr, "%s %s (%s)\n", what, which, setwise_error_message());
    exit(EXIT_FAILURE);
}

/* The table: positions, and a column of expected results for each name. */
static size_t row_count, column_count;
static char names[MAX_COLUMNS][24];
static uint64_t *answers[MAX_COLUMNS];
static setwise_fen *fens;

static void read_table(const char *folder, const char *file)
{
    char command[1024], line[MAX_LINE], *next;
    snprintf(command, sizeof command, "gzip -dc '%s/%s'", folder, file);
    FILE *table = popen(command, "r");
    if (table == NULL || fgets(line, sizeof line, table) == NULL)
        die("cannot read", file);
    column_count = 0;
    strtok_r(line, "\t\n", &next); /* `fen` */
    for (char *name; (name = strtok_r(NULL, "\t\n", &next)) != NULL; column_count++)
        snprintf(names[column_count], sizeof names[0], "%s", name);
    for (row_count = 0; fgets(line, sizeof line, table) != NULL; row_count++) {
        const char *fen = strtok_r(line, "\t\n", &next);
        if (row_count == MAX_ROWS ||
            setwise_fen_parse(fen, strlen(fen), &fens[row_count], NULL) != SETWISE_STATUS_OK)
            die("cannot take", fen);
        for (size_t c = 0; c < column_count; c++) {
            const char *value = strtok_r(NULL, "\t\n", &next);
            if (value == NULL)
                die("a short line in", file);
            answers[c][row_count] = strtoull(value, NULL, 16);
        }
    }
    if (pclose(table) != 0 || row_count < 60)
        die("too few rows in", file);
}

static const uint64_t *column(const char *name)
{
    for (size_t c = 0; c < column_count; c++)
        if (strcmp(names[c], name) == 0)
            return answers[c];
    die("no column", name);
    return NULL;
}

static void compare(const char *name, size_t row, uint64_t found, uint64_t expected)
{
    if (found != expected) {
        fprintf(stderr, "row %zu, %s: %016llx, expected %016llx\n", row, name, (unsigned long long)found,
                (unsigned long long)expected);
        exit(EXIT_FAILURE);
    }
}

static void one_at_a_time(const setwise_kernel *kernel)
{
    static const char *const maps[] = {"pawn", "knight", "bishop", "rook", "queen", "king", "all", "twice"};
    static const char *const rays[] = {"N", "S", "E", "W", "NE", "NW", "SE", "SW"};
    for (int side = 0; side < 2; side++) {
        char name[24];
        for (int m = 0; m < 8; m++) {
            snprintf(name, sizeof name, "%c_%s", "wb"[side], maps[m]);
            const uint64_t *expected = column(name);
            for (size_t i = 0; i < row_count; i++) {
                const setwise_pieces *p = &fens[i].pieces;
                const setwise_both_maps both = setwise_pieces_attacks(kernel, p);
                const setwise_maps by = setwise_pieces_attacks_by(kernel, p, (uint8_t)side, p->white | p->black);
                uint64_t map[8];
                memcpy(map, side == 0 ? &both.white : &both.black, sizeof map);
                compare(name, i, map[m], expected[i]);
                memcpy(map, &by, sizeof map);
                compare(name, i, map[m], expected[i]);
            }
        }
        for (int d = 0; d < 8; d++) {
            snprintf(name, sizeof name, "%c_%s", "wb"[side], rays[d]);
            const uint64_t *expected = column(name);
            for (size_t i = 0; i < row_count; i++) {
                const setwise_pieces *p = &fens[i].pieces;
                const uint64_t own = side == 0 ? p->white : p->black;
                const setwise_rays found = setwise_sliders_rays(kernel, (p->rooks | p->queens) & own, (p->bishops | p->queens) & own,
                                                               p->white | p->black);
                uint64_t ray[8];
                memcpy(ray, &found, sizeof ray);
                compare(name, i, ray[d], expected[i]);
            }
        }
    }
    const uint64_t *pinned = column("pinned_stm"), *checkers = column("checkers");
    const uint64_t *attacked[2] = {column("b_all"), column("w_all")};
    for (size_t i = 0; i < row_count; i++) {
        const setwise_pieces *p = &fens[i].pieces;
        const uint8_t turn = fens[i].turn;
        compare("pinned_stm", i, setwise_pieces_pinned(kernel, p, turn), pinned[i]);
        compare("checkers", i, setwise_pieces_checkers(kernel, p, turn), checkers[i]);
        /* With the kings removed, the enemy attacks at least the same squares. */
        const uint64_t danger = setwise_pieces_king_danger(kernel, p, turn);
        compare("king_danger", i, danger & attacked[turn][i], attacked[turn][i]);
    }
}

static void in_bulk(const setwise_kernel *kernel)
{
    static const char *const pairs[][2] = {
        {"w_pawn", "white_pawn"},     {"w_knight", "white_knight"}, {"w_bishop", "white_bishop"},
        {"w_rook", "white_rook"},     {"w_queen", "white_queen"},   {"w_king", "white_king"},
        {"w_all", "white_all"},       {"w_twice", "white_twice"},   {"w_c0", "white_count_0"},
        {"w_c1", "white_count_1"},    {"w_c2", "white_count_2"},    {"w_c3", "white_count_3"},
        {"b_pawn", "black_pawn"},     {"b_knight", "black_knight"}, {"b_bishop", "black_bishop"},
        {"b_rook", "black_rook"},     {"b_queen", "black_queen"},   {"b_king", "black_king"},
        {"b_all", "black_all"},       {"b_twice", "black_twice"},   {"b_c0", "black_count_0"},
        {"b_c1", "black_count_1"},    {"b_c2", "black_count_2"},    {"b_c3", "black_count_3"},
        {"pinned_stm", "pinned"},     {"checkers", "checkers"},
    };
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    setwise_buffer buffers[PAIRS];
    memset(buffers, 0, sizeof buffers);
    uint8_t *turns = (uint8_t *)malloc(row_count);
    setwise_pieces *rows = (setwise_pieces *)malloc(row_count * sizeof *rows);
    for (size_t i = 0; i < row_count; i++) {
        rows[i] = fens[i].pieces;
        turns[i] = fens[i].turn;
    }
    for (int c = 0; c < PAIRS; c++) {
        buffers[c].column = setwise_column_find(pairs[c][1]);
        buffers[c].bytes = 8 * row_count;
        buffers[c].values = malloc(buffers[c].bytes);
    }
    setwise_positions positions;
    memset(&positions, 0, sizeof positions);
    positions.count = row_count;
    positions.rows = rows;
    positions.turns = turns;
    if (setwise_positions_fill(kernel, &positions, buffers, PAIRS) != SETWISE_STATUS_OK)
        die("setwise_positions_fill", "");
    for (int c = 0; c < PAIRS; c++) {
        const uint64_t *found = (const uint64_t *)buffers[c].values, *expected = column(pairs[c][0]);
        for (size_t i = 0; i < row_count; i++)
            compare(pairs[c][1], i, found[i], expected[i]);
        free(buffers[c].values);
    }
    free(rows);
    free(turns);
}

int main(void)
{
    const char *folder = getenv("SETWISE_DATA");
    if (folder == NULL)
        folder = "../../tests/data"; /* excerpts */
    fens = (setwise_fen *)malloc(MAX_ROWS * sizeof *fens);
    for (size_t c = 0; c < MAX_COLUMNS; c++)
        answers[c] = (uint64_t *)malloc(MAX_ROWS * sizeof *answers[c]);
    static const char *const files[] = {"answers.tsv.gz", "stress-answers.tsv.gz"};
    for (size_t f = 0; f < 2; f++) {
        read_table(folder, files[f]);
        const setwise_kernel *kernel;
        for (size_t k = 0; (kernel = setwise_kernel_at(k)) != NULL; k++) {
            one_at_a_time(kernel);
            in_bulk(kernel);
            printf("%s: %zu positions by %s\n", files[f], row_count, setwise_kernel_name(kernel));
        }
    }
    for (size_t c = 0; c < MAX_COLUMNS; c++)
        free(answers[c]);
    free(fens);
    return EXIT_SUCCESS;
}
