/* Many positions in one call: the number of squares that each side attacks, and the mobility of white's knights.
 *
 *     cc examples/maps.c $(pkg-config --cflags --libs setwise) -o maps && ./maps
 *
 * The results are checked. */
#include <setwise.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 3, QUESTIONS = 3 };

/* The starting position; white's king and rook against a rook; bare kings. */
static const char *const fens[POSITIONS] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K2r w Q - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
};
static const unsigned expected[POSITIONS][QUESTIONS] = {{22, 22, 4}, {15, 15, 0}, {5, 5, 0}};

/* Rows that are aligned to 64 bytes are read in place; others would be copied. */
alignas(64) static setwise_pieces rows[POSITIONS];
static uint64_t white[POSITIONS], black[POSITIONS];
static uint16_t mobility[POSITIONS];

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "%s: %s\n", what, setwise_error_message());
    exit(EXIT_FAILURE);
}

/* Makes a request for a column by its name and the buffer for its values. */
static setwise_buffer column(const char *name, void *values, size_t bytes)
{
    setwise_buffer buffer;
    memset(&buffer, 0, sizeof buffer);
    buffer.column = setwise_column_find(name);
    buffer.values = values;
    buffer.bytes = bytes;
    check(buffer.column >= 0, name);
    return buffer;
}

static unsigned count_bits(uint64_t set)
{
    unsigned bits = 0;
    for (; set != 0; set &= set - 1)
        bits++;
    return bits;
}

int main(void)
{
    for (size_t i = 0; i < POSITIONS; i++) {
        setwise_fen fen;
        check(setwise_fen_parse(fens[i], strlen(fens[i]), &fen, NULL) == SETWISE_STATUS_OK, fens[i]);
        rows[i] = fen.pieces;
    }
    /* Three columns for every position, in one call. */
    const setwise_buffer buffers[QUESTIONS] = {
        column("white_all", white, sizeof white),
        column("black_all", black, sizeof black),
        column("white_mobility_knight", mobility, sizeof mobility),
    };
    setwise_positions positions;
    memset(&positions, 0, sizeof positions);
    positions.count = POSITIONS;
    positions.rows = rows;
    check(setwise_positions_fill(NULL, &positions, buffers, QUESTIONS) == SETWISE_STATUS_OK, "setwise_positions_fill");

    printf("by %s: white attacks, black attacks, mobility of white's knights\n", setwise_kernel_name(NULL));
    for (size_t i = 0; i < POSITIONS; i++) {
        const unsigned answers[QUESTIONS] = {count_bits(white[i]), count_bits(black[i]), mobility[i]};
        printf("%u %u %u\n", answers[0], answers[1], answers[2]);
        if (memcmp(answers, expected[i], sizeof answers) != 0) {
            fprintf(stderr, "%s: expected %u %u %u\n", fens[i], expected[i][0], expected[i][1], expected[i][2]);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
