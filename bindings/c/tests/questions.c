/* Compares every call for one position, on every kernel, with a walk from square to square that shares no code with the
 * library. Also tests every call as the first call of a process, before a kernel is detected. */
#define _DEFAULT_SOURCE
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random_set(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x2545f4914f6cdd1d;
}

/* A position, a choice of blockers that contains its pieces, and sets of squares. */
typedef struct {
    setwise_pieces pieces;
    char mailbox[64]; /* 0, or a letter as in FEN */
    uint64_t own[2], occupied, blockers, targets;
} board;

enum { NORTH, SOUTH, EAST, WEST, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST };
/* Files to the east and ranks to the north, in the order of setwise_rays. */
static const int steps[8][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

static uint64_t bit(int square)
{
    return (uint64_t)1 << square;
}

/* The squares of a ray from a square up to the edge, the first blocker, or the maximum number of steps. */
static uint64_t walk(int square, const int step[2], int most, uint64_t blockers)
{
    uint64_t passed = 0;
    int file = square % 8 + step[0], rank = square / 8 + step[1];
    for (; most > 0 && file >= 0 && file < 8 && rank >= 0 && rank < 8; most--, file += step[0], rank += step[1]) {
        passed |= bit(8 * rank + file);
        if (blockers & bit(8 * rank + file))
            break;
    }
    return passed;
}

/* The squares of the rays from a square in the directions from `first` up to, but not including, `end`. */
static uint64_t rays(int square, int first, int end, int most, uint64_t blockers)
{
    uint64_t passed = 0;
    for (int direction = first; direction < end; direction++)
        passed |= walk(square, steps[direction], most, blockers);
    return passed;
}

static uint64_t rays_of_all(uint64_t sliders, int first, int end, uint64_t blockers)
{
    uint64_t passed = 0;
    for (int square = 0; square < 64; square++)
        if (sliders & bit(square))
            passed |= rays(square, first, end, 7, blockers);
    return passed;
}

static uint64_t knight(int square)
{
    uint64_t reached = 0;
    for (int file = -2; file <= 2; file++)
        for (int rank = -2; rank <= 2; rank++)
            if (file * file + rank * rank == 5) {
                const int step[2] = {file, rank};
                reached |= walk(square, step, 1, 0);
            }
    return reached;
}

static uint64_t pawn(int square, int side)
{
    return rays(square, side == 0 ? NORTH_EAST : SOUTH_EAST, side == 0 ? SOUTH_EAST : SOUTH_WEST + 1, 1, 0);
}

/* The attacks of the piece on a square. */
static uint64_t attacks(const board *b, int square, uint64_t blockers)
{
    switch (b->mailbox[square]) {
    case 'P':
        return pawn(square, 0);
    case 'p':
        return pawn(square, 1);
    case 'N':
    case 'n':
        return knight(square);
    case 'B':
    case 'b':
        return rays(square, NORTH_EAST, SOUTH_WEST + 1, 7, blockers);
    case 'R':
    case 'r':
        return rays(square, NORTH, WEST + 1, 7, blockers);
    case 'Q':
    case 'q':
        return rays(square, NORTH, SOUTH_WEST + 1, 7, blockers);
    case 'K':
    case 'k':
        return rays(square, NORTH, SOUTH_WEST + 1, 1, 0);
    default:
        return 0;
    }
}

/* The attacks of a side's pieces of one letter, or of all. */
static uint64_t attacks_of(const board *b, int side, char letter, uint64_t blockers)
{
    uint64_t attacked = 0;
    for (int square = 0; square < 64; square++)
        if (b->own[side] & bit(square) && (letter == 0 || (b->mailbox[square] | 0x20) == letter))
            attacked |= attacks(b, square, blockers);
    return attacked;
}

static uint64_t attackers(const board *b, int side, uint64_t targets, uint64_t blockers)
{
    uint64_t found = 0;
    for (int square = 0; square < 64; square++)
        if (b->own[side] & bit(square) && attacks(b, square, blockers) & targets)
            found |= bit(square);
    return found;
}

static int king_of(const board *b, int side)
{
    for (int square = 0; square < 64; square++)
        if (b->mailbox[square] == (side == 0 ? 'K' : 'k'))
            return square;
    return 0;
}

/* The pinned pieces of a side and their pinners: without the pinned piece, a slider gives check along its line. */
static void pins(const board *b, int side, uint64_t *pinned, uint64_t *pinners)
{
    const uint64_t king = bit(king_of(b, side)), checkers = attackers(b, 1 - side, king, b->occupied);
    *pinned = *pinners = 0;
    for (int square = 0; square < 64; square++)
        if (b->own[side] & bit(square) & ~king) {
            const uint64_t found = attackers(b, 1 - side, king, b->occupied & ~bit(square)) & ~checkers;
            *pinned |= found != 0 ? bit(square) : 0;
            *pinners |= found;
        }
}

static board random_board(void)
{
    static const char letters[] = "PNBRQpnbrq";
    board b;
    memset(&b, 0, sizeof b);
    const int empty = (int)(random_set() >> 62); /* none, or one to three quarters, of the squares */
    for (int square = 0; square < 64; square++)
        if ((int)(random_set() >> 62) >= empty)
            b.mailbox[square] = letters[(random_set() >> 32) % 10];
    const int white = (int)(random_set() >> 58), black = (white + 1 + (int)((random_set() >> 32) % 63)) % 64;
    b.mailbox[white] = 'K';
    b.mailbox[black] = 'k';
    for (int square = 0; square < 64; square++) {
        const char letter = b.mailbox[square];
        uint64_t *const sets[6] = {&b.pieces.pawns, &b.pieces.knights, &b.pieces.bishops,
                                   &b.pieces.rooks, &b.pieces.queens,  &b.pieces.kings};
        if (letter == 0)
            continue;
        *sets[strchr("pnbrqk", letter | 0x20) - "pnbrqk"] |= bit(square);
        b.own[letter & 0x20 ? 1 : 0] |= bit(square);
    }
    b.pieces.white = b.own[0];
    b.pieces.black = b.own[1];
    b.occupied = b.own[0] | b.own[1];
    b.blockers = b.occupied | (random_set() & random_set());
    b.targets = random_set() & random_set();
    return b;
}

static int are_maps(const setwise_maps *found, const board *b, int side, uint64_t blockers)
{
    uint64_t once = 0, twice = 0;
    for (int square = 0; square < 64; square++)
        if (b->own[side] & bit(square)) {
            twice |= once & attacks(b, square, blockers);
            once |= attacks(b, square, blockers);
        }
    return found->pawn == attacks_of(b, side, 'p', blockers) && found->knight == attacks_of(b, side, 'n', blockers) &&
           found->bishop == attacks_of(b, side, 'b', blockers) && found->rook == attacks_of(b, side, 'r', blockers) &&
           found->queen == attacks_of(b, side, 'q', blockers) && found->king == attacks_of(b, side, 'k', blockers) &&
           found->all == once && found->twice == twice;
}

/* A test of one call, which makes no other calls. Returns whether the results are right. The position may have any
 * alignment. */
typedef int question(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b);

static int maps(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    const setwise_both_maps found = setwise_pieces_attacks(kernel, pieces);
    return are_maps(&found.white, b, 0, b->occupied) && are_maps(&found.black, b, 1, b->occupied);
}

static int maps_of_a_side(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    const setwise_maps white = setwise_pieces_attacks_by(kernel, pieces, SETWISE_WHITE, b->blockers);
    const setwise_maps black = setwise_pieces_attacks_by(kernel, pieces, SETWISE_BLACK, b->blockers);
    return are_maps(&white, b, 0, b->blockers) && are_maps(&black, b, 1, b->blockers);
}

static int attacked(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    return setwise_pieces_attacked(kernel, pieces, SETWISE_WHITE, b->blockers) == attacks_of(b, 0, 0, b->blockers) &&
           setwise_pieces_attacked(kernel, pieces, SETWISE_BLACK, b->blockers) == attacks_of(b, 1, 0, b->blockers);
}

static int sliders_by_role(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    const setwise_slider_maps found = setwise_pieces_slider_attacks(kernel, pieces);
    const uint64_t queens[2] = {b->own[0] & b->pieces.queens, b->own[1] & b->pieces.queens};
    return found.white_rook == attacks_of(b, 0, 'r', b->occupied) &&
           found.black_rook == attacks_of(b, 1, 'r', b->occupied) &&
           found.white_bishop == attacks_of(b, 0, 'b', b->occupied) &&
           found.black_bishop == attacks_of(b, 1, 'b', b->occupied) &&
           found.white_queen_orthogonal == rays_of_all(queens[0], NORTH, WEST + 1, b->occupied) &&
           found.black_queen_orthogonal == rays_of_all(queens[1], NORTH, WEST + 1, b->occupied) &&
           found.white_queen_diagonal == rays_of_all(queens[0], NORTH_EAST, SOUTH_WEST + 1, b->occupied) &&
           found.black_queen_diagonal == rays_of_all(queens[1], NORTH_EAST, SOUTH_WEST + 1, b->occupied);
}

static int one_sides_attackers(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    int right = 1;
    for (int side = 0; side < 2; side++)
        right &= setwise_pieces_attackers(kernel, pieces, (uint8_t)side, b->targets, b->blockers) ==
                 attackers(b, side, b->targets, b->blockers);
    return right;
}

static int all_attackers(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    return setwise_pieces_all_attackers(kernel, pieces, b->targets, b->blockers) ==
           (attackers(b, 0, b->targets, b->blockers) | attackers(b, 1, b->targets, b->blockers));
}

static int checkers(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    int right = 1;
    for (int side = 0; side < 2; side++)
        right &= setwise_pieces_checkers(kernel, pieces, (uint8_t)side) ==
                 attackers(b, 1 - side, bit(king_of(b, side)), b->occupied);
    return right;
}

static int pinned(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    int right = 1;
    for (int side = 0; side < 2; side++) {
        uint64_t expected[2];
        pins(b, side, &expected[0], &expected[1]);
        right &= setwise_pieces_pinned(kernel, pieces, (uint8_t)side) == expected[0];
    }
    return right;
}

static int pinners(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    int right = 1;
    for (int side = 0; side < 2; side++) {
        uint64_t expected[2];
        pins(b, side, &expected[0], &expected[1]);
        right &= setwise_pieces_pinners(kernel, pieces, (uint8_t)side) == expected[1];
    }
    return right;
}

static int king_danger(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    int right = 1;
    for (int side = 0; side < 2; side++)
        right &= setwise_pieces_king_danger(kernel, pieces, (uint8_t)side) ==
                 attacks_of(b, 1 - side, 0, b->occupied & ~bit(king_of(b, side)));
    return right;
}

static int threats(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    setwise_threat list[SETWISE_MAX_THREATS];
    uint64_t found[64] = {0};
    const size_t count = setwise_pieces_threats(kernel, pieces, list, SETWISE_MAX_THREATS);
    size_t expected = 0;
    for (size_t i = 0; i < count; i++)
        found[list[i].from] |= bit(list[i].to);
    for (int square = 0; square < 64; square++) {
        uint64_t attacked = attacks(b, square, b->occupied) & b->occupied;
        if (found[square] != attacked)
            return 0;
        for (; attacked != 0; attacked &= attacked - 1)
            expected++;
    }
    return count == expected;
}

/* Sliders of a set block each other; the others block only if they are among the blockers. */
static int sliders(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    (void)pieces;
    const uint64_t rooks = b->targets, bishops = b->pieces.bishops, others = b->blockers & ~b->own[0];
    return setwise_sliders_attacks(kernel, rooks, bishops, others) ==
           (rays_of_all(rooks, NORTH, WEST + 1, others | rooks) |
            rays_of_all(bishops, NORTH_EAST, SOUTH_WEST + 1, others | bishops));
}

static int orthogonal_sliders(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    (void)pieces;
    const uint64_t others = b->blockers & ~b->own[0];
    return setwise_sliders_orthogonal_attacks(kernel, b->targets, others) ==
           rays_of_all(b->targets, NORTH, WEST + 1, others | b->targets);
}

static int diagonal_sliders(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    (void)pieces;
    const uint64_t others = b->blockers & ~b->own[0];
    return setwise_sliders_diagonal_attacks(kernel, b->targets, others) ==
           rays_of_all(b->targets, NORTH_EAST, SOUTH_WEST + 1, others | b->targets);
}

static int sliders_by_direction(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    (void)pieces;
    const uint64_t rooks = b->targets, bishops = b->pieces.bishops, others = b->blockers & ~b->own[0];
    const setwise_rays found = setwise_sliders_rays(kernel, rooks, bishops, others);
    const uint64_t by_direction[8] = {found.north,      found.south,      found.east,       found.west,
                                      found.north_east, found.north_west, found.south_east, found.south_west};
    int right = 1;
    for (int d = 0; d < 8; d++) {
        const uint64_t sliders = d < NORTH_EAST ? rooks : bishops;
        right &= by_direction[d] == rays_of_all(sliders, d, d + 1, others | sliders);
    }
    return right;
}

/* Compares the facts about kings with separate calls, and checking squares with the plain walk. */
static int facts_are(const setwise_king_facts *facts, const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b, uint8_t side)
{
    uint64_t squares[6] = {0}, discoverers = 0;
    for (int king = 0; king < 64; king++)
        if (b->own[side] & b->pieces.kings & bit(king)) {
            squares[0] |= pawn(king, side);
            squares[1] |= knight(king);
            squares[2] |= rays(king, NORTH_EAST, SOUTH_WEST + 1, 7, b->occupied);
            squares[3] |= rays(king, NORTH, WEST + 1, 7, b->occupied);
            for (int d = 0; d < 8; d++) {
                const uint64_t first = walk(king, steps[d], 7, b->occupied) & b->occupied & b->own[!side];
                const uint64_t sliders = (d < 4 ? b->pieces.rooks : b->pieces.bishops) | b->pieces.queens;
                const uint64_t behind = walk(king, steps[d], 7, b->occupied & ~first) & b->own[!side] & sliders & ~first;
                discoverers |= first != 0 && behind != 0 ? first : 0;
            }
        }
    squares[4] = squares[2] | squares[3];
    return facts->checkers == setwise_pieces_checkers(kernel, pieces, side) &&
           facts->pinned == setwise_pieces_pinned(kernel, pieces, side) &&
           facts->pinners == setwise_pieces_pinners(kernel, pieces, side) &&
           facts->danger == setwise_pieces_king_danger(kernel, pieces, side) && facts->discoverers == discoverers &&
           memcmp(facts->checking_squares, squares, sizeof squares) == 0;
}

static int king_facts(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    const setwise_king_facts white = setwise_pieces_king_facts(kernel, pieces, SETWISE_WHITE);
    const setwise_king_facts black = setwise_pieces_king_facts(kernel, pieces, SETWISE_BLACK);
    return facts_are(&white, kernel, pieces, b, 0) && facts_are(&black, kernel, pieces, b, 1);
}

static int both_king_facts(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    const setwise_both_king_facts both = setwise_pieces_both_king_facts(kernel, pieces);
    return facts_are(&both.white, kernel, pieces, b, 0) && facts_are(&both.black, kernel, pieces, b, 1);
}

/* These calls need no kernel, so they are tested once. */
static int lines_and_leapers(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    (void)pieces;
    if (kernel != NULL)
        return 1;
    const uint64_t own = b->own[0];
    uint64_t pawns[2] = {0, 0}, knights = 0, kings = 0;
    int right = 1;
    for (int from = 0; from < 64; from++) {
        const uint64_t rook = rays(from, NORTH, WEST + 1, 7, own), bishop = rays(from, NORTH_EAST, SOUTH_WEST + 1, 7, own);
        right &= setwise_rook_attacks((uint8_t)from, own) == rook && setwise_bishop_attacks((uint8_t)from, own) == bishop;
        right &= setwise_queen_attacks((uint8_t)from, own) == (rook | bishop);
        if (own & bit(from)) {
            pawns[0] |= pawn(from, 0);
            pawns[1] |= pawn(from, 1);
            knights |= knight(from);
            kings |= rays(from, NORTH, SOUTH_WEST + 1, 1, 0);
        }
        uint64_t between[64] = {0}, line[64] = {0}, pass[64] = {0}, beyond[64] = {0};
        for (int d = 0; d < 8; d++) {
            const int opposite[2] = {-steps[d][0], -steps[d][1]};
            const uint64_t ray = walk(from, steps[d], 7, 0), back = walk(from, opposite, 7, 0);
            for (int to = 0; to < 64; to++)
                if (ray & bit(to)) {
                    between[to] = walk(from, steps[d], 7, bit(to)) & ~bit(to);
                    line[to] = ray | back | bit(from);
                    pass[to] = ray;
                    beyond[to] = walk(to, steps[d], 7, 0);
                }
        }
        for (int to = 0; to < 64; to++) {
            right &= setwise_squares_between((uint8_t)from, (uint8_t)to) == between[to];
            right &= from == to || setwise_squares_line_through((uint8_t)from, (uint8_t)to) == line[to];
            right &= setwise_squares_ray_pass((uint8_t)from, (uint8_t)to) == pass[to];
            right &= setwise_squares_beyond((uint8_t)from, (uint8_t)to) == beyond[to];
        }
    }
    return right && setwise_pawns_attacks(SETWISE_WHITE, own) == pawns[0] &&
           setwise_pawns_attacks(SETWISE_BLACK, own) == pawns[1] && setwise_knights_attacks(own) == knights &&
           setwise_kings_attacks(own) == kings;
}

/* Legal moves, which `legal.c` validates: compares the first call, without a kernel, with a call with the simplest
 * kernel. */
static setwise_state state_of(const board *b)
{
    const setwise_state state = {(uint8_t)(b->targets >> 20 & 1), 0, 0, SETWISE_NO_SQUARE};
    return state;
}

static int legal_targets(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    uint64_t found[64], expected[64];
    const int32_t valid = setwise_pieces_legal_targets(kernel, pieces, state_of(b), found);
    return valid == setwise_pieces_legal_targets(setwise_kernel_at(0), &b->pieces, state_of(b), expected) &&
           memcmp(found, expected, sizeof found) == 0;
}

static int legal_moves(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    uint16_t found[SETWISE_MAX_LEGAL_MOVES], expected[SETWISE_MAX_LEGAL_MOVES];
    const int32_t count = setwise_pieces_legal_moves(kernel, pieces, state_of(b), found, SETWISE_MAX_LEGAL_MOVES);
    return count == setwise_pieces_legal_moves(setwise_kernel_at(0), &b->pieces, state_of(b), expected, SETWISE_MAX_LEGAL_MOVES) &&
           (count < 0 || memcmp(found, expected, (size_t)count * sizeof *found) == 0);
}

static int legal_count(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    return setwise_pieces_legal_count(kernel, pieces, state_of(b)) ==
           setwise_pieces_legal_count(setwise_kernel_at(0), &b->pieces, state_of(b));
}

static int legal_status(const setwise_kernel *kernel, const setwise_pieces *pieces, const board *b)
{
    return setwise_pieces_legal_status(kernel, pieces, state_of(b)) ==
           setwise_pieces_legal_status(setwise_kernel_at(0), &b->pieces, state_of(b));
}

static const struct {
    const char *name;
    question *is_right;
} questions[] = {
    {"setwise_pieces_attacks", maps},
    {"setwise_pieces_attacks_by", maps_of_a_side},
    {"setwise_pieces_attacked", attacked},
    {"setwise_pieces_slider_attacks", sliders_by_role},
    {"setwise_pieces_attackers", one_sides_attackers},
    {"setwise_pieces_all_attackers", all_attackers},
    {"setwise_pieces_checkers", checkers},
    {"setwise_pieces_pinned", pinned},
    {"setwise_pieces_pinners", pinners},
    {"setwise_pieces_king_danger", king_danger},
    {"setwise_pieces_threats", threats},
    {"setwise_sliders_attacks", sliders},
    {"setwise_sliders_orthogonal_attacks", orthogonal_sliders},
    {"setwise_sliders_diagonal_attacks", diagonal_sliders},
    {"setwise_sliders_rays", sliders_by_direction},
    {"squares and leapers", lines_and_leapers},
    {"setwise_pieces_king_facts", king_facts},
    {"setwise_pieces_both_king_facts", both_king_facts},
    {"setwise_pieces_legal_targets", legal_targets},
    {"setwise_pieces_legal_moves", legal_moves},
    {"setwise_pieces_legal_count", legal_count},
    {"setwise_pieces_legal_status", legal_status},
};
enum { QUESTIONS = sizeof questions / sizeof *questions, BOARDS = 200 };

int main(void)
{
    int failures = 0;
    /* No kernel is detected in this process until all children have ended. */
    const board first = random_board();
    for (int q = 0; q < QUESTIONS; q++) {
        const pid_t child = fork();
        if (child == 0)
            _exit(questions[q].is_right(NULL, &first.pieces, &first) ? EXIT_SUCCESS : EXIT_FAILURE);
        int status = -1;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "%s, the first call of a process: another answer\n", questions[q].name);
            failures++;
        }
    }
    for (int n = 0; n < BOARDS; n++) {
        const board b = random_board();
        /* Aligned to 64 bytes, and not aligned. */
        char space[3 * sizeof b.pieces];
        char *const aligned = space + (64 - (uintptr_t)space % 64) % 64;
        for (int q = 0; q < QUESTIONS; q++) {
            const setwise_kernel *kernel = NULL;
            for (size_t k = 0; k == 0 || kernel != NULL; kernel = setwise_kernel_at(k++))
                for (size_t offset = 0; offset < 16; offset += 8) {
                    const setwise_pieces *pieces =
                        (const setwise_pieces *)memcpy(aligned + offset, &b.pieces, sizeof b.pieces);
                    if (!questions[q].is_right(kernel, pieces, &b) && failures++ < 20)
                        fprintf(stderr, "%s by %s, board %d, %d bytes off: another answer\n", questions[q].name,
                                setwise_kernel_name(kernel), n, (int)offset);
                }
        }
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
