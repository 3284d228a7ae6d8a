/* What a call costs across the border: the same loop over positions with each question asked of libsetwise.a, and
 * inlined in Rust; and sliders with Kogge-Stone, four directions in a vector, in C. One run, in turns; nanoseconds a
 * position are medians, so what counts is the difference within a line. */
#define _POSIX_C_SOURCE 200809L
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 256, ROUNDS = 400, TURNS = 41 };

typedef uint64_t loop(const setwise_pieces *rows, size_t count);

static const setwise_kernel *kernel;

static uint64_t rotate(uint64_t set, int by)
{
    return set << by | set >> (64 - by);
}

/* Reads the eight sets one by one, as a program does. */
static inline uint64_t fold(const uint64_t *sets)
{
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum = rotate(sum, 1) ^ sets[i];
    return sum;
}

/* Kogge-Stone: north, east, north-east, north-west in one vector, the opposite four in another. */
typedef uint64_t vector __attribute__((vector_size(32)));

static inline uint64_t kogge_stone(uint64_t occupied, uint64_t orthogonal, uint64_t diagonal)
{
    const uint64_t not_a = 0xfefefefefefefefe, not_h = 0x7f7f7f7f7f7f7f7f;
    const vector shift = {8, 1, 9, 7}, sliders = {orthogonal, orthogonal, diagonal, diagonal};
    const vector up_edge = {~0ull, not_a, not_a, not_h}, down_edge = {~0ull, not_h, not_h, not_a};
    const vector empty = {~occupied, ~occupied, ~occupied, ~occupied};
    vector up = sliders, down = sliders, up_free = empty & up_edge, down_free = empty & down_edge;
    up |= up_free & up << shift;
    down |= down_free & down >> shift;
    up_free &= up_free << shift;
    down_free &= down_free >> shift;
    up |= up_free & up << 2 * shift;
    down |= down_free & down >> 2 * shift;
    up_free &= up_free << 2 * shift;
    down_free &= down_free >> 2 * shift;
    up |= up_free & up << 4 * shift;
    down |= down_free & down >> 4 * shift;
    const vector all = (up << shift & up_edge) | (down >> shift & down_edge);
    return all[0] | all[1] | all[2] | all[3];
}

#define LOOPS(name, answer)                                                                                            \
    loop rust_##name;                                                                                                  \
    static uint64_t c_##name(const setwise_pieces *rows, size_t count)                                                 \
    {                                                                                                                  \
        uint64_t sum = 0;                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const setwise_pieces *p = &rows[i];                                                                        \
            const uint64_t occupied = p->white | p->black;                                                             \
            (void)occupied;                                                                                            \
            sum = rotate(sum, 1) ^ (answer);                                                                           \
        }                                                                                                              \
        return sum;                                                                                                    \
    }

static inline uint64_t fold_rays(setwise_rays rays)
{
    return fold(&rays.north);
}

static inline uint64_t fold_maps(setwise_maps maps)
{
    return fold(&maps.pawn);
}

static inline uint64_t fold_both(setwise_both_maps maps)
{
    return fold(&maps.white.pawn) ^ rotate(fold(&maps.black.pawn), 8);
}

LOOPS(slider_attacks, setwise_sliders_attacks(kernel, p->rooks | p->queens, p->bishops | p->queens, occupied))
LOOPS(orthogonal_attacks, setwise_sliders_orthogonal_attacks(kernel, p->rooks | p->queens, occupied))
LOOPS(slider_rays, fold_rays(setwise_sliders_rays(kernel, p->rooks | p->queens, p->bishops | p->queens, occupied)))
LOOPS(attacks, fold_both(setwise_pieces_attacks(kernel, p)))
LOOPS(attacks_by, fold_maps(setwise_pieces_attacks_by(kernel, p, SETWISE_WHITE, occupied & ~(p->kings & p->black))))
LOOPS(attackers, setwise_pieces_attackers(kernel, p, SETWISE_WHITE, p->kings, occupied))
LOOPS(checkers, setwise_pieces_checkers(kernel, p, SETWISE_WHITE))
LOOPS(pinned, setwise_pieces_pinned(kernel, p, SETWISE_WHITE))
LOOPS(king_danger, setwise_pieces_king_danger(kernel, p, SETWISE_WHITE))

/* What a move changes of the threats: the boards as mailboxes, a move of each, and where the records go. Inlined Rust
 * reads the same arrays. */
uint8_t bench_mailboxes[ROWS][64];
setwise_square_change bench_moves[ROWS][2];
setwise_threat_change bench_records[SETWISE_MAX_MOVE_CHANGES];

loop rust_threat_changes;
static uint64_t c_threat_changes(const setwise_pieces *rows, size_t count)
{
    uint64_t sum = 0;
    (void)rows;
    for (size_t i = 0; i < count; i++) {
        size_t records = 0;
        setwise_mailbox_threat_changes(kernel, bench_mailboxes[i], bench_moves[i], 2, NULL, bench_records,
                                       SETWISE_MAX_MOVE_CHANGES, &records);
        sum = rotate(sum, 1) ^ (records + (records > 0 ? bench_records[records - 1] : 0));
    }
    return sum;
}

static uint64_t c_kogge_stone(const setwise_pieces *rows, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const setwise_pieces *p = &rows[i];
        sum = rotate(sum, 1) ^ kogge_stone(p->white | p->black, p->rooks | p->queens, p->bishops | p->queens);
    }
    return sum;
}

static const struct {
    const char *name;
    loop *c, *rust;
    double within; /* what crossing the border may cost, in nanoseconds */
} loops[] = {
    {"slider_attacks", c_slider_attacks, rust_slider_attacks, 2},
    {"  Kogge-Stone in C", c_kogge_stone, rust_slider_attacks, 0},
    {"orthogonal_attacks", c_orthogonal_attacks, rust_orthogonal_attacks, 2},
    {"slider_rays", c_slider_rays, rust_slider_rays, 2},
    {"attacks", c_attacks, rust_attacks, 4},
    {"attacks_by", c_attacks_by, rust_attacks_by, 4},
    {"attackers", c_attackers, rust_attackers, 2},
    {"checkers", c_checkers, rust_checkers, 2},
    {"pinned", c_pinned, rust_pinned, 2},
    {"king_danger", c_king_danger, rust_king_danger, 2},
    {"threat_changes", c_threat_changes, rust_threat_changes, 3},
};
enum { LOOPS_COUNT = sizeof loops / sizeof *loops };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double nanoseconds(loop *run, const setwise_pieces *rows)
{
    const double began = seconds();
    volatile uint64_t sum = 0;
    for (int round = 0; round < ROUNDS; round++)
        sum = sum ^ run(rows, ROWS);
    return (seconds() - began) * 1e9 / ROUNDS / ROWS;
}

static double median(double *values)
{
    qsort(values, TURNS, sizeof *values, by_size);
    return values[TURNS / 2];
}

/* Positions as games have them: the start with some of its pieces moved and some gone. */
static void deal(setwise_pieces *rows)
{
    static const uint8_t first[] = {4, 2, 3, 5, 6, 3, 2, 4};
    uint64_t state = 0x9e3779b97f4a7c15;
    for (int i = 0; i < ROWS; i++) {
        uint8_t mailbox[64] = {0};
        for (int file = 0; file < 8; file++) {
            mailbox[file] = first[file];
            mailbox[8 + file] = 1;
            mailbox[48 + file] = 9;
            mailbox[56 + file] = (uint8_t)(first[file] + 8);
        }
        for (int move = 0; move < 40; move++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            const unsigned from = state >> 20 & 63, to = state >> 40 & 63;
            if (mailbox[from] != 0 && (mailbox[to] & 7) != 6) {
                mailbox[to] = mailbox[from];
                mailbox[from] = from == to ? mailbox[to] : 0;
            }
        }
        if (setwise_pieces_from_mailbox(mailbox, &rows[i]) != SETWISE_STATUS_OK)
            exit(EXIT_FAILURE);
        memcpy(bench_mailboxes[i], mailbox, sizeof mailbox);
        unsigned from, to;
        do {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            from = state >> 20 & 63, to = state >> 40 & 63;
        } while (mailbox[from] == 0 || from == to);
        bench_moves[i][0].square = (uint8_t)from, bench_moves[i][0].piece = 0;
        bench_moves[i][1].square = (uint8_t)to, bench_moves[i][1].piece = mailbox[from];
    }
}

int main(void)
{
    /* 64 bytes more, for positions that are aligned to 8 bytes only. */
    char *room = (char *)aligned_alloc(64, (ROWS + 1) * sizeof(setwise_pieces));
    if (room == NULL)
        return EXIT_FAILURE;
    setwise_pieces *rows = (setwise_pieces *)room, *shifted = (setwise_pieces *)(room + 8);
    static double c[LOOPS_COUNT][TURNS], rust[LOOPS_COUNT][TURNS], copied[LOOPS_COUNT][TURNS];
    static double over[LOOPS_COUNT][TURNS];
    kernel = setwise_kernel_detect();
    static setwise_pieces dealt[ROWS];
    deal(dealt);
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < LOOPS_COUNT; i++) {
            memmove(rows, dealt, sizeof dealt);
            if (loops[i].c(rows, ROWS) != loops[i].rust(rows, ROWS)) {
                fprintf(stderr, "%s: C and Rust have other answers\n", loops[i].name);
                return EXIT_FAILURE;
            }
            rust[i][turn] = nanoseconds(loops[i].rust, rows);
            c[i][turn] = nanoseconds(loops[i].c, rows);
            over[i][turn] = c[i][turn] - rust[i][turn];
            memmove(shifted, dealt, sizeof dealt);
            copied[i][turn] = nanoseconds(loops[i].c, shifted);
        }
    int missed = 0;
    printf("nanoseconds a position, %s; inlined in Rust with the build's instructions\n\n"
           "%-20s %8s %8s %8s   %s\n",
           setwise_kernel_name(kernel), "", "from C", "inlined", "more", "from C, positions not aligned to 64 bytes");
    for (int i = 0; i < LOOPS_COUNT; i++) {
        const double more = median(over[i]);
        const int misses = loops[i].within > 0 && more > loops[i].within;
        missed += misses;
        printf("%-20s %8.1f %8.1f %8.1f   %.1f%s\n", loops[i].name, median(c[i]), median(rust[i]), more,
               median(copied[i]), misses ? "   (more than hoped for)" : "");
    }
    free(room);
    printf("\n%d of %d cost more than 2 ns (changes: 3, maps: 4) beside the inlined ones\n", missed, LOOPS_COUNT - 1);
    return EXIT_SUCCESS;
}
