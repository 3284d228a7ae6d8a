/* Many positions at once: reads FEN, one a line, and says how many squares each side attacks and where a piece hangs.
 *
 *     cc examples/maps.c $(pkg-config --cflags --libs setwise) -o maps && ./maps FILE
 *
 * Without a file it takes the positions at the end and checks its answers. */
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three questions about every position, all in one call. */
enum { WHITE_ALL, BLACK_ALL, WHITE_MOBILITY, QUESTIONS };
static const char *const names[QUESTIONS] = {"white_all", "black_all", "white_mobility_knight"};

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, setwise_error_message());
    return EXIT_FAILURE;
}

static unsigned count_bits(uint64_t set)
{
    unsigned bits = 0;
    for (; set != 0; set &= set - 1)
        bits++;
    return bits;
}

/* The start; white's rook and king against a rook; bare kings. Squares attacked by white and by black, and what
 * white's knights attack without a white piece. */
static const char *const sample[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    "4k3/8/8/8/8/8/8/R3K2r w Q - 0 1\n",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n",
};
static const unsigned sample_answers[][QUESTIONS] = {{22, 22, 4}, {15, 15, 0}, {5, 5, 0}};

int main(int argc, char **argv)
{
    FILE *file = NULL;
    if (argc > 1 && (file = fopen(argv[1], "r")) == NULL) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }

    /* Rows that are aligned to 64 bytes are read as they lie; others would be copied. */
    size_t count = 0, capacity = sizeof sample / sizeof *sample;
    if (file != NULL) {
        capacity = 1; /* the last line may have no end */
        for (int c; (c = fgetc(file)) != EOF;)
            capacity += c == '\n';
        rewind(file);
    }
    setwise_pieces *rows = (setwise_pieces *)aligned_alloc(64, capacity * sizeof *rows);
    if (rows == NULL)
        return EXIT_FAILURE;
    for (;;) {
        char line[256];
        if (file != NULL) {
            if (fgets(line, sizeof line, file) == NULL)
                break;
        } else if (count < sizeof sample / sizeof *sample) {
            strcpy(line, sample[count]);
        } else {
            break;
        }
        setwise_fen fen;
        size_t column;
        if (setwise_fen_parse(line, strlen(line), &fen, &column) != SETWISE_STATUS_OK) {
            fprintf(stderr, "%s:%zu:%zu: %s\n", file != NULL ? argv[1] : "sample", count + 1, column,
                    setwise_error_message());
            return EXIT_FAILURE;
        }
        rows[count++] = fen.pieces;
    }
    if (file != NULL)
        fclose(file);

    /* A buffer for each column, as large as its type says. */
    setwise_buffer buffers[QUESTIONS];
    memset(buffers, 0, sizeof buffers);
    for (int i = 0; i < QUESTIONS; i++) {
        buffers[i].column = setwise_column_find(names[i]);
        if (buffers[i].column < 0)
            return fail(names[i]);
        buffers[i].bytes = count * setwise_column_value_bytes(buffers[i].column);
        buffers[i].values = malloc(buffers[i].bytes + 1);
        if (buffers[i].values == NULL)
            return EXIT_FAILURE;
    }
    setwise_positions positions;
    memset(&positions, 0, sizeof positions);
    positions.count = count;
    positions.rows = rows;
    if (setwise_positions_fill(NULL, &positions, buffers, QUESTIONS) != SETWISE_STATUS_OK)
        return fail("setwise_positions_fill");

    const uint64_t *white = (const uint64_t *)buffers[WHITE_ALL].values;
    const uint64_t *black = (const uint64_t *)buffers[BLACK_ALL].values;
    const uint16_t *mobility = (const uint16_t *)buffers[WHITE_MOBILITY].values;
    int wrong = 0;
    printf("by %s: white attacks, black attacks, mobility of white's knights\n", setwise_kernel_name(NULL));
    for (size_t i = 0; i < count; i++) {
        const unsigned answers[QUESTIONS] = {count_bits(white[i]), count_bits(black[i]), mobility[i]};
        printf("%u %u %u\n", answers[0], answers[1], answers[2]);
        if (file == NULL && memcmp(answers, sample_answers[i], sizeof answers) != 0) {
            fprintf(stderr, "position %zu: expected %u %u %u\n", i, sample_answers[i][0], sample_answers[i][1],
                    sample_answers[i][2]);
            wrong = 1;
        }
    }
    for (int i = 0; i < QUESTIONS; i++)
        free(buffers[i].values);
    free(rows);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
