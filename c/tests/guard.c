/* Buffers that end at a page that nobody may touch, and buffers that begin behind one: every kernel, all counts around
 * a block. The answers are those of one position at a time by the kernel `scalar`, which has no vectors. */
#define _DEFAULT_SOURCE
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1100, COLUMNS = 128 };

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, setwise_error());
    exit(EXIT_FAILURE);
}

/* Some pages between two guards. */
typedef struct {
    char *begin, *end;
} room;

static room new_room(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (bytes + page - 1) / page * page;
    char *all = (char *)mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == (char *)MAP_FAILED || mprotect(all + page, inside, PROT_READ | PROT_WRITE) != 0)
        die("mmap");
    room room = {all + page, all + page + inside};
    return room;
}

/* An array of so many bytes that ends, or begins, at a guard. */
static void *at_guard(room room, size_t bytes, int at_end)
{
    return at_end ? room.end - bytes : room.begin;
}

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t random_set(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

/* Pieces of all kinds on about half of the squares. */
static setwise_pieces random_pieces(void)
{
    uint8_t mailbox[64];
    for (int square = 0; square < 64; square++) {
        const uint64_t random = random_set() >> 16;
        mailbox[square] = (uint8_t)(random & 1 ? 0 : (random >> 1 & 1) * 8 + (random >> 8) % 6 + 1);
    }
    setwise_pieces pieces;
    if (setwise_from_mailbox(mailbox, &pieces) != SETWISE_OK)
        die("setwise_from_mailbox");
    return pieces;
}

static setwise_pieces rows[MOST];
static uint8_t turns[MOST];
static uint64_t expected_boards[COLUMNS][MOST];
static uint16_t expected_numbers[COLUMNS][MOST];
static uint64_t expected_attacks[MOST], expected_rays[8][MOST];
static size_t expected_offsets[MOST + 1];
static setwise_threat expected_threats[MOST * SETWISE_MOST_THREATS];
static int columns;

/* The answers, made in ordinary memory, row by row. */
static void expect(void)
{
    const setwise_kernel *scalar = setwise_kernel_by_name("scalar");
    while (setwise_column_name(columns) != NULL)
        columns++;
    if (scalar == NULL || columns > COLUMNS)
        die("columns");
    for (int i = 0; i < MOST; i++) {
        rows[i] = random_pieces();
        turns[i] = (uint8_t)(random_set() >> 63);
        setwise_positions one;
        memset(&one, 0, sizeof one);
        one.count = 1;
        one.rows = &rows[i];
        one.turns = &turns[i];
        setwise_buffer buffers[COLUMNS];
        for (int c = 0; c < columns; c++) {
            const size_t bytes = setwise_column_bytes(c);
            buffers[c].column = c;
            buffers[c].bytes = bytes;
            buffers[c].values = bytes == 8 ? (void *)&expected_boards[c][i] : (void *)&expected_numbers[c][i];
        }
        if (setwise_fill(scalar, &one, buffers, (size_t)columns) != SETWISE_OK)
            die("setwise_fill");

        /* The bulk answers against the questions about one position. */
        const setwise_both_maps maps = setwise_attacks(scalar, &rows[i]);
        const uint64_t occupied = rows[i].white | rows[i].black;
        if (memcmp(&maps.white.twice, &expected_boards[setwise_column("white_twice")][i], 8) != 0 ||
            memcmp(&maps.black.all, &expected_boards[setwise_column("black_all")][i], 8) != 0)
            die("attacks");
        if (setwise_checkers(scalar, &rows[i], turns[i]) != expected_boards[setwise_column("checkers")][i] ||
            setwise_pinned(scalar, &rows[i], turns[i]) != expected_boards[setwise_column("pinned")][i])
            die("checkers, pinned");
        expected_attacks[i] = setwise_slider_attacks(scalar, rows[i].rooks, rows[i].bishops, occupied);
        const setwise_rays rays = setwise_slider_rays(scalar, rows[i].rooks, rows[i].bishops, occupied);
        const uint64_t by_direction[8] = {rays.north,      rays.south,      rays.east,       rays.west,
                                          rays.north_east, rays.north_west, rays.south_east, rays.south_west};
        for (int d = 0; d < 8; d++)
            expected_rays[d][i] = by_direction[d];
        expected_offsets[i + 1] =
            expected_offsets[i] + setwise_threats(scalar, &rows[i], &expected_threats[expected_offsets[i]], SETWISE_MOST_THREATS);
    }
}

/* Where everything lies. */
static room room_of_offsets, room_of_threats, room_of_rows, room_of_turns, rooms_in[8], rooms_out[COLUMNS];

static void check_fill(const setwise_kernel *kernel, size_t count, int at_end, int by_rows)
{
    setwise_positions positions;
    memset(&positions, 0, sizeof positions);
    positions.count = count;
    uint8_t *turn = (uint8_t *)at_guard(room_of_turns, count, at_end);
    memcpy(turn, turns, count);
    positions.turns = turn;
    if (by_rows) {
        setwise_pieces *to = (setwise_pieces *)at_guard(room_of_rows, count * sizeof *to, at_end);
        /* by_rows 2: not aligned to 64 bytes, so eight bytes away from the guard. */
        if (by_rows == 2)
            to = (setwise_pieces *)((char *)to + (at_end ? -8 : 8));
        memcpy(to, rows, count * sizeof *to);
        positions.rows = to;
    } else {
        for (size_t set = 0; set < 8; set++) {
            uint64_t *to = (uint64_t *)at_guard(rooms_in[set], 8 * count, at_end);
            for (size_t i = 0; i < count; i++)
                memcpy(&to[i], (const char *)&rows[i] + 8 * set, 8);
            positions.columns[set] = to;
        }
    }
    const size_t threat_count = expected_offsets[count];
    size_t *offsets = (size_t *)at_guard(room_of_offsets, (count + 1) * sizeof *offsets, at_end);
    setwise_threat *threats = (setwise_threat *)at_guard(room_of_threats, threat_count * sizeof *threats, at_end);
    if (setwise_threats_bulk(kernel, &positions, offsets, threats, threat_count) != SETWISE_OK)
        die("setwise_threats_bulk");
    if (memcmp(offsets, expected_offsets, (count + 1) * sizeof *offsets) != 0 ||
        memcmp(threats, expected_threats, threat_count * sizeof *threats) != 0)
        die("setwise_threats_bulk: another answer");

    setwise_buffer buffers[COLUMNS];
    for (int c = 0; c < columns; c++) {
        buffers[c].column = c;
        buffers[c].bytes = count * setwise_column_bytes(c);
        buffers[c].values = at_guard(rooms_out[c], buffers[c].bytes, at_end);
        memset(buffers[c].values, 0x5a, buffers[c].bytes);
    }
    if (setwise_fill(kernel, &positions, buffers, (size_t)columns) != SETWISE_OK)
        die("setwise_fill");
    for (int c = 0; c < columns; c++) {
        const void *expected =
            setwise_column_bytes(c) == 8 ? (const void *)expected_boards[c] : (const void *)expected_numbers[c];
        if (memcmp(buffers[c].values, expected, buffers[c].bytes) != 0) {
            fprintf(stderr, "%s, %zu rows, column %s: another answer\n", setwise_kernel_name(kernel), count,
                    setwise_column_name(c));
            exit(EXIT_FAILURE);
        }
    }
}

static void check_sliders(const setwise_kernel *kernel, size_t count, int at_end)
{
    uint64_t *in[3], *out[9];
    for (int i = 0; i < 3; i++)
        in[i] = (uint64_t *)at_guard(rooms_in[i], 8 * count, at_end);
    for (int i = 0; i < 9; i++)
        out[i] = (uint64_t *)at_guard(rooms_out[i], 8 * count, at_end);
    for (size_t i = 0; i < count; i++) {
        in[0][i] = rows[i].white | rows[i].black;
        in[1][i] = rows[i].rooks;
        in[2][i] = rows[i].bishops;
    }
    if (setwise_slider_attacks_bulk(kernel, count, in[1], in[2], in[0], out[8]) != SETWISE_OK ||
        setwise_slider_rays_bulk(kernel, count, in[1], in[2], in[0], out) != SETWISE_OK)
        die("sliders");
    if (memcmp(out[8], expected_attacks, 8 * count) != 0)
        die("setwise_slider_attacks_bulk: another answer");
    for (int d = 0; d < 8; d++)
        if (memcmp(out[d], expected_rays[d], 8 * count) != 0)
            die("setwise_slider_rays_bulk: another answer");
}

/* One position, aligned and not, by every kernel. */
static void check_one(const setwise_kernel *kernel, int i)
{
    const setwise_kernel *scalar = setwise_kernel_at(0);
    for (int at_end = 0; at_end < 3; at_end++) {
        char *to = (char *)at_guard(room_of_rows, sizeof(setwise_pieces), at_end != 0);
        if (at_end == 2)
            to -= 8;
        const setwise_pieces *pieces = (const setwise_pieces *)memcpy(to, &rows[i], sizeof rows[i]);
        const uint64_t targets = random_set(), occupied = random_set();
        const uint8_t side = turns[i];
        const setwise_both_maps a = setwise_attacks(kernel, pieces), b = setwise_attacks(scalar, &rows[i]);
        const setwise_maps c = setwise_attacks_by(kernel, pieces, side, occupied),
                           d = setwise_attacks_by(scalar, &rows[i], side, occupied);
        const setwise_slider_maps e = setwise_slider_attacks_by_role(kernel, pieces),
                                  f = setwise_slider_attacks_by_role(scalar, &rows[i]);
        const setwise_rays g = setwise_slider_rays(kernel, targets, pieces->bishops, occupied),
                           h = setwise_slider_rays(scalar, targets, pieces->bishops, occupied);
        if (memcmp(&a, &b, sizeof a) != 0 || memcmp(&c, &d, sizeof c) != 0 || memcmp(&e, &f, sizeof e) != 0 ||
            memcmp(&g, &h, sizeof g) != 0 ||
            setwise_attackers(kernel, pieces, targets, side, occupied) !=
                setwise_attackers(scalar, &rows[i], targets, side, occupied) ||
            setwise_checkers(kernel, pieces, side) != setwise_checkers(scalar, &rows[i], side) ||
            setwise_pinned(kernel, pieces, side) != setwise_pinned(scalar, &rows[i], side) ||
            setwise_king_danger(kernel, pieces, side) != setwise_king_danger(scalar, &rows[i], side) ||
            setwise_slider_attacks(kernel, pieces->rooks, pieces->bishops, occupied) !=
                (setwise_orthogonal_attacks(scalar, pieces->rooks, occupied) |
                 setwise_diagonal_attacks(scalar, pieces->bishops, occupied))) {
            fprintf(stderr, "%s, one position: another answer\n", setwise_kernel_name(kernel));
            exit(EXIT_FAILURE);
        }
    }
}

int main(void)
{
    expect();
    room_of_rows = new_room((MOST + 1) * sizeof(setwise_pieces));
    room_of_turns = new_room(MOST);
    room_of_offsets = new_room((MOST + 1) * sizeof(size_t));
    room_of_threats = new_room(sizeof expected_threats);
    for (int i = 0; i < 8; i++)
        rooms_in[i] = new_room(8 * MOST);
    for (int c = 0; c < COLUMNS; c++)
        rooms_out[c] = new_room(8 * MOST);
    /* Around blocks of 32 and 64 boards, and around the 512 rows that are copied at a time. */
    static const size_t counts[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 511, 512, 513, 577, 1025, MOST};
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
