/* An engine's accumulator with threat inputs, kept up to date along games.
 *
 *     cc examples/accumulator.c $(pkg-config --cflags --libs setwise) -o accumulator && ./accumulator
 *
 * Plays random games with moves that are taken back now and then, as a search does. A node keeps what its move changed of
 * the threats; when a node is evaluated, its two accumulators are brought up to date from the last node that has them.
 * Every evaluation is checked against an accumulator made of the whole list of inputs. The weights are random. */
#include <setwise.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 32, MAX_PLY = 200, GAMES = 60, INPUTS = 65536 };

static int16_t weights[INPUTS][WIDTH];
static const setwise_feature_set *set;

static uint64_t seed = 0x9e3779b97f4a7c15;

static unsigned below(unsigned end)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed * 0x2545f4914f6cdd1d >> 32) % end);
}

static void check(setwise_status status)
{
    if (status == SETWISE_STATUS_OK)
        return;
    fprintf(stderr, "%s\n", setwise_error_message());
    exit(EXIT_FAILURE);
}

/* A position, and what its move changed. */
typedef struct {
    uint8_t mailbox[64];
    uint8_t kings[2];
    uint8_t turn, castling[2], en_passant; /* files of castling rooks; the square behind a pawn, or SETWISE_NO_SQUARE */
    setwise_threat_change changes[SETWISE_MAX_MOVE_CHANGES];
    size_t change_count;
    int16_t values[2][WIDTH];
    int is_up_to_date[2];
} node;

static node nodes[MAX_PLY + 1];

/* The accumulator of a whole list: when a search begins, and when a king has crossed the middle. */
static void make_anew(const node *node, int side, int16_t values[WIDTH])
{
    static uint16_t inputs[2][SETWISE_MAX_INPUTS];
    setwise_pieces pieces;
    size_t counts[2];
    check(setwise_pieces_from_mailbox(node->mailbox, &pieces));
    check(setwise_pieces_inputs_u16(NULL, &pieces, set, inputs[0], inputs[1], SETWISE_MAX_INPUTS, counts));
    memset(values, 0, WIDTH * sizeof *values);
    for (size_t i = 0; i < counts[side]; i++)
        for (int w = 0; w < WIDTH; w++)
            values[w] = (int16_t)(values[w] + weights[inputs[side][i]][w]);
}

/* One node on: what its move added and removed. */
static void follow(const node *before, node *after, int side)
{
    static uint16_t added[SETWISE_MAX_MOVE_CHANGES], removed[SETWISE_MAX_MOVE_CHANGES];
    setwise_input_changes_u16 changes = {added, removed, SETWISE_MAX_MOVE_CHANGES, 0, 0, 0};
    check(setwise_feature_set_input_changes_u16(set, (uint8_t)side, after->kings[side], after->changes,
                                                after->change_count, &changes));
    memcpy(after->values[side], before->values[side], sizeof after->values[side]);
    for (size_t i = 0; i < changes.added_count; i++)
        for (int w = 0; w < WIDTH; w++)
            after->values[side][w] = (int16_t)(after->values[side][w] + weights[added[i]][w]);
    for (size_t i = 0; i < changes.removed_count; i++)
        for (int w = 0; w < WIDTH; w++)
            after->values[side][w] = (int16_t)(after->values[side][w] - weights[removed[i]][w]);
    after->is_up_to_date[side] = 1;
}

static size_t made_anew, followed;

/* Brings a node's accumulators up to date: from the last node that has them, unless the king has crossed the middle since. */
static void evaluate(int ply)
{
    for (int side = 0; side < 2; side++) {
        int from = ply;
        while (from > 0 && !nodes[from].is_up_to_date[side] &&
               setwise_feature_set_is_same_view(set, (uint8_t)side, nodes[from - 1].kings[side], nodes[from].kings[side]))
            from--;
        if (!nodes[from].is_up_to_date[side]) {
            make_anew(&nodes[ply], side, nodes[ply].values[side]);
            nodes[ply].is_up_to_date[side] = 1;
            made_anew++;
            continue;
        }
        for (; from < ply; from++, followed++)
            follow(&nodes[from], &nodes[from + 1], side);
    }
}

/* Makes a move: the squares that change, and the threats that follow. The mailbox changes afterwards. */
static void make(const node *before, node *after, const setwise_square_change *changes, size_t count)
{
    memcpy(after, before, offsetof(node, changes));
    check(setwise_mailbox_threat_changes(NULL, before->mailbox, changes, count, set, after->changes,
                                         SETWISE_MAX_MOVE_CHANGES, &after->change_count));
    for (size_t i = 0; i < count; i++) {
        after->mailbox[changes[i].square] = changes[i].piece;
        if ((changes[i].piece & 7) == 6)
            after->kings[changes[i].piece >> 3] = changes[i].square;
    }
    after->turn = before->turn ^ 1;
    after->is_up_to_date[0] = after->is_up_to_date[1] = 0;
}

static int is_free(const node *node, uint64_t set_of_squares)
{
    for (; set_of_squares != 0; set_of_squares &= set_of_squares - 1)
        if (node->mailbox[__builtin_ctzll(set_of_squares)] != 0)
            return 0;
    return 1;
}

/* Castling by the side to move with its rook on a file, if the rules allow it. Squares that the king passes must not be
 * attacked. */
static size_t castle(const node *node, const setwise_pieces *pieces, uint8_t file, setwise_square_change changes[4])
{
    const uint8_t rank = node->turn == SETWISE_WHITE ? 0 : 56, colour = (uint8_t)(8 * node->turn);
    const uint8_t king = node->kings[node->turn], rook = (uint8_t)(rank + file);
    const int is_short = rook > king;
    const uint8_t king_to = (uint8_t)(rank + (is_short ? 6 : 2)), rook_to = (uint8_t)(rank + (is_short ? 5 : 3));
    const uint64_t ends = 1ull << king | 1ull << rook;
    const uint64_t path = setwise_squares_between(king, king_to) | 1ull << king_to | 1ull << king;
    const uint64_t both = path | setwise_squares_between(rook, rook_to) | 1ull << rook_to;
    if (!is_free(node, both & ~ends) || (path & setwise_pieces_king_danger(NULL, pieces, node->turn)) != 0)
        return 0;
    size_t count = 0;
    const uint8_t squares[4] = {king, rook, king_to, rook_to};
    const uint8_t held[4] = {0, 0, (uint8_t)(colour + 6), (uint8_t)(colour + 4)};
    for (size_t i = 0; i < 4; i++) {
        if (i < 2 && (squares[i] == king_to || squares[i] == rook_to))
            continue; /* it holds something again */
        changes[count].square = squares[i];
        changes[count++].piece = held[i];
    }
    return count;
}

/* Where a piece can go, checks and pins aside. */
static uint64_t targets(const node *node, const setwise_pieces *pieces, uint8_t from)
{
    const uint64_t own = node->turn == SETWISE_WHITE ? pieces->white : pieces->black;
    const uint64_t occupied = pieces->white | pieces->black, square = 1ull << from;
    setwise_pieces alone;
    memset(&alone, 0, sizeof alone);
    *(node->turn == SETWISE_WHITE ? &alone.white : &alone.black) = square;
    switch (node->mailbox[from] & 7) {
    case 1: {
        alone.pawns = square;
        const uint64_t ahead = (node->turn == SETWISE_WHITE ? square << 8 : square >> 8) & ~occupied;
        const uint64_t start = node->turn == SETWISE_WHITE ? 0xff0000ull : 0xff0000000000ull;
        const uint64_t twice = (node->turn == SETWISE_WHITE ? (ahead & start) << 8 : (ahead & start) >> 8) & ~occupied;
        const uint64_t en_passant = node->en_passant == SETWISE_NO_SQUARE ? 0 : 1ull << node->en_passant;
        const setwise_maps maps = setwise_pieces_attacks_by(NULL, &alone, node->turn, 0);
        return ahead | twice | (maps.pawn & ((occupied & ~own) | en_passant));
    }
    case 2:
        alone.knights = square;
        return setwise_pieces_attacks_by(NULL, &alone, node->turn, 0).knight & ~own;
    case 3:
        return setwise_bishop_attacks(from, occupied) & ~own;
    case 4:
        return setwise_rook_attacks(from, occupied) & ~own;
    case 5:
        return setwise_queen_attacks(from, occupied) & ~own;
    default:
        alone.kings = square;
        return setwise_pieces_attacks_by(NULL, &alone, node->turn, 0).king & ~own;
    }
}

/* What happened, so that nothing is left out by chance. */
static size_t captures, promotions, en_passants, castlings, null_moves;

/* Plays a random legal move; 0 if many attempts have found none. */
static int play(const node *before, node *after)
{
    setwise_pieces pieces;
    check(setwise_pieces_from_mailbox(before->mailbox, &pieces));
    const uint64_t own = before->turn == SETWISE_WHITE ? pieces.white : pieces.black;
    const uint64_t last_rank = before->turn == SETWISE_WHITE ? 0xffull << 56 : 0xff;
    for (int attempt = 0; attempt < 20000; attempt++) {
        setwise_square_change changes[4];
        size_t count = 0;
        const uint8_t from = (uint8_t)below(64);
        uint8_t castling[2] = {before->castling[0], before->castling[1]}, en_passant = SETWISE_NO_SQUARE;
        size_t *happened = NULL;
        if ((own >> from & 1) == 0)
            continue;
        if (from == before->kings[before->turn] && castling[before->turn] != 0) {
            const uint8_t file = (uint8_t)below(8);
            if (castling[before->turn] >> file & 1)
                count = castle(before, &pieces, file, changes);
            happened = &castlings;
        }
        if (count == 0) {
            const uint64_t to_squares = targets(before, &pieces, from);
            const uint8_t to = (uint8_t)below(64);
            if ((to_squares >> to & 1) == 0)
                continue;
            uint8_t piece = before->mailbox[from];
            happened = before->mailbox[to] != 0 ? &captures : NULL;
            changes[count].square = from, changes[count++].piece = 0;
            if ((piece & 7) == 1) {
                if (to == before->en_passant) {
                    changes[count].square = (uint8_t)(to ^ 8), changes[count++].piece = 0;
                    happened = &en_passants;
                }
                if (from - to == 16 || to - from == 16)
                    en_passant = (uint8_t)((from + to) / 2);
                if (last_rank >> to & 1) {
                    piece = (uint8_t)((piece & 8) + 2 + below(4));
                    happened = &promotions;
                }
            }
            changes[count].square = to, changes[count++].piece = piece;
        }
        make(before, after, changes, count);
        setwise_pieces now;
        check(setwise_pieces_from_mailbox(after->mailbox, &now));
        if (setwise_pieces_checkers(NULL, &now, before->turn) != 0)
            continue;
        for (int side = 0; side < 2; side++) {
            const unsigned rank = side == 0 ? 0 : 56;
            if (after->kings[side] != before->kings[side])
                castling[side] = 0;
            for (unsigned file = 0; file < 8; file++)
                if (after->mailbox[rank + file] != (side == 0 ? 4 : 12))
                    castling[side] &= (uint8_t)~(1u << file);
            after->castling[side] = castling[side];
        }
        after->en_passant = en_passant;
        if (happened != NULL)
            ++*happened;
        return 1;
    }
    return 0;
}

int main(void)
{
    set = setwise_feature_set_find("stockfish-threats-2026-08");
    if (set == NULL || setwise_feature_set_inputs(set) > INPUTS) {
        fprintf(stderr, "%s\n", setwise_error_message());
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < INPUTS; i++)
        for (int w = 0; w < WIDTH; w++)
            weights[i][w] = (int16_t)(below(201) - 100);

    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    setwise_fen fen;
    check(setwise_fen_parse(start, sizeof start - 1, &fen, NULL));
    size_t moves = 0, records = 0, evaluations = 0;
    for (int game = 0; game < GAMES; game++) {
        node *first = &nodes[0];
        memset(first, 0, sizeof *first);
        check(setwise_pieces_to_mailbox(&fen.pieces, first->mailbox));
        first->kings[0] = 4, first->kings[1] = 60;
        first->castling[0] = fen.castling_white, first->castling[1] = fen.castling_black;
        first->en_passant = SETWISE_NO_SQUARE;
        for (int side = 0; side < 2; side++) {
            make_anew(first, side, first->values[side]);
            first->is_up_to_date[side] = 1;
        }
        for (int ply = 0; ply < MAX_PLY;) {
            if (ply > 4 && below(6) == 0) { /* back some moves, as after a cut-off */
                ply -= 1 + (int)below(4);
                continue;
            }
            setwise_pieces pieces;
            check(setwise_pieces_from_mailbox(nodes[ply].mailbox, &pieces));
            if (below(20) == 0 && setwise_pieces_checkers(NULL, &pieces, nodes[ply].turn) == 0) {
                make(&nodes[ply], &nodes[ply + 1], NULL, 0); /* a null move changes no square */
                nodes[ply + 1].en_passant = SETWISE_NO_SQUARE;
                null_moves++;
            } else if (!play(&nodes[ply], &nodes[ply + 1])) {
                break;
            }
            ply++, moves++, records += nodes[ply].change_count;
            if (below(3) != 0)
                continue;
            evaluate(ply);
            evaluations++;
            for (int side = 0; side < 2; side++) {
                int16_t expected[WIDTH];
                make_anew(&nodes[ply], side, expected);
                if (memcmp(expected, nodes[ply].values[side], sizeof expected) != 0) {
                    fprintf(stderr, "game %d, ply %d: the accumulator of side %d differs\n", game, ply, side);
                    return EXIT_FAILURE;
                }
            }
        }
    }
    printf("%zu moves with %zu changes of threats, %zu evaluations: %zu accumulators followed, %zu made anew\n"
           "%zu captures, %zu promotions, %zu en passant, %zu castlings, %zu null moves\n",
           moves, records, evaluations, followed, made_anew, captures, promotions, en_passants, castlings, null_moves);
    const int all = captures > 100 && promotions > 5 && en_passants > 0 && castlings > 0 && null_moves > 50 && made_anew > 10;
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
