/* Tests buffers that end at an inaccessible page and buffers that start after one, with every kernel and counts around
 * the sizes of blocks. The expected results are those of the kernel `scalar`, one position at a time. */
#define _DEFAULT_SOURCE
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_ROWS = 2300, COLUMNS = 128 };
static const size_t longest_list = SETWISE_MAX_INPUTS;
static const setwise_feature_set *set;

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, setwise_error_message());
    exit(EXIT_FAILURE);
}

/* Some pages between two guard pages. */
typedef struct {
    char *begin, *end;
} area;

static area new_area(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (bytes + page - 1) / page * page;
    char *all = (char *)mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == (char *)MAP_FAILED || mprotect(all + page, inside, PROT_READ | PROT_WRITE) != 0)
        die("mmap");
    area between = {all + page, all + page + inside};
    return between;
}

/* Returns an array of `bytes` bytes that ends, or starts, at a guard page. */
static void *at_guard(area area, size_t bytes, int at_end)
{
    return at_end ? area.end - bytes : area.begin;
}

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random_set(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1d;
}

/* Pieces of all kinds on about half of the squares; every second position has one king per side. */
static setwise_pieces random_pieces(int one_king)
{
    uint8_t mailbox[64];
    for (int square = 0; square < 64; square++) {
        const uint64_t random = random_set() >> 16;
        mailbox[square] = (uint8_t)(random & 1 ? 0 : (random >> 1 & 1) * 8 + (random >> 8) % (one_king ? 5 : 6) + 1);
    }
    if (one_king) {
        const uint64_t random = random_set() >> 16, white = random & 63;
        mailbox[white] = 6;
        mailbox[(white + 1 + (random >> 8) % 63) & 63] = 14;
    }
    setwise_pieces pieces;
    if (setwise_pieces_from_mailbox(mailbox, &pieces) != SETWISE_STATUS_OK)
        die("setwise_pieces_from_mailbox");
    return pieces;
}

static setwise_pieces rows[MAX_ROWS];
static uint8_t state[4][MAX_ROWS]; /* turns, castling rights of white and of black, en passant squares */
static uint64_t expected_attacks[MAX_ROWS], expected_rays[8][MAX_ROWS];
static int columns;

/* The values of a column: a fixed number per position, or lists. */
static struct {
    size_t bytes, length; /* size of a value; values per position, 0 for lists */
    char *values;
    size_t *offsets;
    uint8_t *validity;
} expected[COLUMNS];

static uint64_t board(int column, int row)
{
    uint64_t value;
    memcpy(&value, expected[column].values + 8 * (size_t)row, 8);
    return value;
}

/* Fills in the state of positions from arrays. */
static void take_state(setwise_positions *positions, const uint8_t *const arrays[4])
{
    positions->turns = arrays[0];
    positions->castling_white = arrays[1];
    positions->castling_black = arrays[2];
    positions->en_passant = arrays[3];
}

/* Computes the expected results in ordinary memory, row by row. */
static void expect(void)
{
    const setwise_kernel *scalar = setwise_kernel_find("scalar");
    columns = setwise_column_count();
    set = setwise_feature_set_find("nnue-pytorch-2026-07");
    if (scalar == NULL || set == NULL || columns > COLUMNS)
        die("columns");
    for (int c = 0; c < columns; c++) {
        expected[c].bytes = setwise_column_value_bytes(c);
        expected[c].length = setwise_column_length(c);
        const size_t most = expected[c].length != 0 ? expected[c].length : longest_list;
        expected[c].values = (char *)malloc(MAX_ROWS * most * expected[c].bytes);
        expected[c].offsets = (size_t *)calloc(MAX_ROWS + 1, sizeof(size_t));
        expected[c].validity = (uint8_t *)malloc(MAX_ROWS);
        if (expected[c].values == NULL || expected[c].offsets == NULL || expected[c].validity == NULL)
            die("malloc");
    }
    for (int i = 0; i < MAX_ROWS; i++) {
        rows[i] = random_pieces(i % 2);
        state[0][i] = (uint8_t)(random_set() >> 63);
        state[1][i] = state[2][i] = 0;
        state[3][i] = SETWISE_NO_SQUARE;
        setwise_positions one;
        memset(&one, 0, sizeof one);
        one.count = 1;
        one.rows = &rows[i];
        const uint8_t *const arrays[4] = {&state[0][i], &state[1][i], &state[2][i], &state[3][i]};
        take_state(&one, arrays);
        setwise_buffer buffers[COLUMNS];
        memset(buffers, 0, sizeof buffers);
        size_t offsets[COLUMNS][2];
        for (int c = 0; c < columns; c++) {
            const size_t length = expected[c].length, before = length != 0 ? length * (size_t)i : expected[c].offsets[i];
            buffers[c].column = c;
            buffers[c].bytes = (length != 0 ? length : longest_list) * expected[c].bytes;
            buffers[c].values = expected[c].values + before * expected[c].bytes;
            buffers[c].offsets = length != 0 ? NULL : offsets[c];
            buffers[c].validity = &expected[c].validity[i];
            buffers[c].feature_set = setwise_column_needs_feature_set(c) ? set : NULL;
        }
        if (setwise_positions_fill(scalar, &one, buffers, (size_t)columns) != SETWISE_STATUS_OK)
            die("setwise_positions_fill");
        for (int c = 0; c < columns; c++) {
            if (expected[c].length == 0)
                expected[c].offsets[i + 1] = expected[c].offsets[i] + offsets[c][1];
            if (expected[c].validity[i] > 1 || (!expected[c].validity[i] && !setwise_column_is_nullable(c)))
                die("validity");
        }

        /* Compares the bulk results with calls for one position. */
        const setwise_both_maps maps = setwise_pieces_attacks(scalar, &rows[i]);
        const uint64_t occupied = rows[i].white | rows[i].black;
        if (maps.white.twice != board(setwise_column_find("white_twice"), i) ||
            maps.black.all != board(setwise_column_find("black_all"), i))
            die("attacks");
        if (setwise_pieces_checkers(scalar, &rows[i], state[0][i]) != board(setwise_column_find("checkers"), i) ||
            setwise_pieces_pinned(scalar, &rows[i], state[0][i]) != board(setwise_column_find("pinned"), i))
            die("checkers, pinned");
        const int threats = setwise_column_find("threats");
        setwise_threat list[SETWISE_MAX_THREATS];
        const size_t count = setwise_pieces_threats(scalar, &rows[i], list, SETWISE_MAX_THREATS);
        const char *of_row = expected[threats].values + 2 * expected[threats].offsets[i];
        if (count != offsets[threats][1] || memcmp(list, of_row, 2 * count) != 0)
            die("threats");
        const int kings = __builtin_popcountll(rows[i].kings & rows[i].white) == 1 &&
                          __builtin_popcountll(rows[i].kings & rows[i].black) == 1;
        if (expected[setwise_column_find("black_features")].validity[i] != kings)
            die("features");
        expected_attacks[i] = setwise_sliders_attacks(scalar, rows[i].rooks, rows[i].bishops, occupied);
        const setwise_rays rays = setwise_sliders_rays(scalar, rows[i].rooks, rows[i].bishops, occupied);
        const uint64_t by_direction[8] = {rays.north,      rays.south,      rays.east,       rays.west,
                                          rays.north_east, rays.north_west, rays.south_east, rays.south_west};
        for (int d = 0; d < 8; d++)
            expected_rays[d][i] = by_direction[d];
    }
}

/* The arrays of a test. */
static area area_of_rows, areas_of_state[4], areas_in[8], areas_out[COLUMNS], areas_of_offsets[COLUMNS],
    areas_of_validity[COLUMNS];

static void differs(const setwise_kernel *kernel, size_t count, int column, const char *what)
{
    fprintf(stderr, "%s, %zu rows, column %s: other %s\n", setwise_kernel_name(kernel), count,
            setwise_column_name(column), what);
    exit(EXIT_FAILURE);
}

static void check_fill(const setwise_kernel *kernel, size_t count, int at_end, int by_rows)
{
    setwise_positions positions;
    memset(&positions, 0, sizeof positions);
    positions.count = count;
    const uint8_t *arrays[4];
    for (int a = 0; a < 4; a++)
        arrays[a] = (uint8_t *)memcpy(at_guard(areas_of_state[a], count, at_end), state[a], count);
    take_state(&positions, arrays);
    if (by_rows) {
        setwise_pieces *to = (setwise_pieces *)at_guard(area_of_rows, count * sizeof *to, at_end);
        /* by_rows 2: not aligned to 64 bytes, so eight bytes away from the guard page. */
        if (by_rows == 2)
            to = (setwise_pieces *)((char *)to + (at_end ? -8 : 8));
        memcpy(to, rows, count * sizeof *to);
        positions.rows = to;
    } else {
        for (size_t set = 0; set < 8; set++) {
            uint64_t *to = (uint64_t *)at_guard(areas_in[set], 8 * count, at_end);
            for (size_t i = 0; i < count; i++)
                memcpy(&to[i], (const char *)&rows[i] + 8 * set, 8);
            positions.columns[set] = to;
        }
    }
    /* Lists with exactly enough bytes, or too small by one value. */
    for (int missing = 0; missing < 2; missing++) {
        setwise_buffer buffers[COLUMNS];
        memset(buffers, 0, sizeof buffers);
        int misses = 0;
        for (int c = 0; c < columns; c++) {
            const size_t length = expected[c].length;
            size_t values = length != 0 ? count * length : expected[c].offsets[count];
            if (length == 0) {
                buffers[c].offsets =
                    (size_t *)at_guard(areas_of_offsets[c], (count + 1) * sizeof(size_t), at_end);
                memset(buffers[c].offsets, 0x5a, (count + 1) * sizeof(size_t));
                if (missing && values > 0)
                    values--, misses = 1;
            }
            buffers[c].column = c;
            buffers[c].bytes = values * expected[c].bytes;
            buffers[c].values = at_guard(areas_out[c], buffers[c].bytes, at_end);
            memset(buffers[c].values, 0x5a, buffers[c].bytes);
            buffers[c].validity = (uint8_t *)at_guard(areas_of_validity[c], count, at_end);
            memset(buffers[c].validity, 0x5a, count);
            buffers[c].feature_set = setwise_column_needs_feature_set(c) ? set : NULL;
        }
        const setwise_status status = setwise_positions_fill(kernel, &positions, buffers, (size_t)columns);
        if (status != (misses ? SETWISE_STATUS_CAPACITY : SETWISE_STATUS_OK))
            die("setwise_positions_fill");
        for (int c = 0; c < columns; c++) {
            if (memcmp(buffers[c].values, expected[c].values, buffers[c].bytes) != 0)
                differs(kernel, count, c, "values");
            if (memcmp(buffers[c].validity, expected[c].validity, count) != 0)
                differs(kernel, count, c, "validity");
            if (buffers[c].offsets != NULL &&
                memcmp(buffers[c].offsets, expected[c].offsets, (count + 1) * sizeof(size_t)) != 0)
                differs(kernel, count, c, "offsets");
        }
    }
}

static void check_sliders(const setwise_kernel *kernel, size_t count, int at_end)
{
    uint64_t *in[3], *out[9];
    for (int i = 0; i < 3; i++)
        in[i] = (uint64_t *)at_guard(areas_in[i], 8 * count, at_end);
    for (int i = 0; i < 9; i++)
        out[i] = (uint64_t *)at_guard(areas_out[i], 8 * count, at_end);
    for (size_t i = 0; i < count; i++) {
        in[0][i] = rows[i].white | rows[i].black;
        in[1][i] = rows[i].rooks;
        in[2][i] = rows[i].bishops;
    }
    if (setwise_sliders_fill_attacks(kernel, count, in[1], in[2], in[0], out[8]) != SETWISE_STATUS_OK ||
        setwise_sliders_fill_rays(kernel, count, in[1], in[2], in[0], out) != SETWISE_STATUS_OK)
        die("sliders");
    if (memcmp(out[8], expected_attacks, 8 * count) != 0)
        die("setwise_sliders_fill_attacks: another answer");
    for (int d = 0; d < 8; d++)
        if (memcmp(out[d], expected_rays[d], 8 * count) != 0)
            die("setwise_sliders_fill_rays: another answer");
}

/* Tests one position, aligned and not aligned, with a kernel. */
static void check_one(const setwise_kernel *kernel, int i)
{
    const setwise_kernel *scalar = setwise_kernel_at(0);
    for (int at_end = 0; at_end < 3; at_end++) {
        char *to = (char *)at_guard(area_of_rows, sizeof(setwise_pieces), at_end != 0);
        if (at_end == 2)
            to -= 8;
        const setwise_pieces *pieces = (const setwise_pieces *)memcpy(to, &rows[i], sizeof rows[i]);
        const uint64_t targets = random_set(), occupied = random_set();
        const uint8_t side = state[0][i];
        const setwise_both_maps a = setwise_pieces_attacks(kernel, pieces), b = setwise_pieces_attacks(scalar, &rows[i]);
        const setwise_maps c = setwise_pieces_attacks_by(kernel, pieces, side, occupied),
                           d = setwise_pieces_attacks_by(scalar, &rows[i], side, occupied);
        const setwise_slider_maps e = setwise_pieces_slider_attacks(kernel, pieces),
                                  f = setwise_pieces_slider_attacks(scalar, &rows[i]);
        const setwise_rays g = setwise_sliders_rays(kernel, targets, pieces->bishops, occupied),
                           h = setwise_sliders_rays(scalar, targets, pieces->bishops, occupied);
        if (memcmp(&a, &b, sizeof a) != 0 || memcmp(&c, &d, sizeof c) != 0 || memcmp(&e, &f, sizeof e) != 0 ||
            memcmp(&g, &h, sizeof g) != 0 ||
            setwise_pieces_attackers(kernel, pieces, side, targets, occupied) !=
                setwise_pieces_attackers(scalar, &rows[i], side, targets, occupied) ||
            setwise_pieces_checkers(kernel, pieces, side) != setwise_pieces_checkers(scalar, &rows[i], side) ||
            setwise_pieces_pinned(kernel, pieces, side) != setwise_pieces_pinned(scalar, &rows[i], side) ||
            setwise_pieces_pinners(kernel, pieces, side) != setwise_pieces_pinners(scalar, &rows[i], side) ||
            setwise_pieces_all_attackers(kernel, pieces, targets, occupied) !=
                (setwise_pieces_attackers(scalar, &rows[i], 0, targets, occupied) |
                 setwise_pieces_attackers(scalar, &rows[i], 1, targets, occupied)) ||
            setwise_pieces_king_danger(kernel, pieces, side) != setwise_pieces_king_danger(scalar, &rows[i], side) ||
            setwise_sliders_attacks(kernel, pieces->rooks, pieces->bishops, occupied) !=
                (setwise_sliders_orthogonal_attacks(scalar, pieces->rooks, occupied) |
                 setwise_sliders_diagonal_attacks(scalar, pieces->bishops, occupied))) {
            fprintf(stderr, "%s, one position: another answer\n", setwise_kernel_name(kernel));
            exit(EXIT_FAILURE);
        }
    }
}

int main(void)
{
    expect();
    area_of_rows = new_area((MAX_ROWS + 1) * sizeof(setwise_pieces));
    for (int a = 0; a < 4; a++)
        areas_of_state[a] = new_area(MAX_ROWS);
    for (int i = 0; i < 8; i++)
        areas_in[i] = new_area(8 * MAX_ROWS);
    for (int c = 0; c < COLUMNS; c++) {
        const size_t length = c < columns ? expected[c].length : 1, bytes = c < columns ? expected[c].bytes : 8;
        areas_out[c] = new_area((length != 0 ? MAX_ROWS * length : expected[c].offsets[MAX_ROWS]) * bytes);
        areas_of_offsets[c] = new_area((MAX_ROWS + 1) * sizeof(size_t));
        areas_of_validity[c] = new_area(MAX_ROWS);
    }
    /* Around blocks of 32 and 64 boards, and around the 2,048 rows of a part. */
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 513, 2047, 2048, 2049, MAX_ROWS};
    size_t kernels = 0;
    for (const setwise_kernel *kernel; (kernel = setwise_kernel_at(kernels)) != NULL; kernels++) {
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            for (int at_end = 0; at_end < 2; at_end++) {
                for (int by_rows = 0; by_rows < 3; by_rows++)
                    check_fill(kernel, counts[n], at_end, by_rows);
                check_sliders(kernel, counts[n], at_end);
            }
        for (int i = 0; i < 200; i++)
            check_one(kernel, i);
        printf("%s\n", setwise_kernel_name(kernel));
    }
    return kernels >= 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
