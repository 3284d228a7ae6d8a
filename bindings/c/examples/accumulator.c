/* An engine's accumulator with threat inputs, kept up to date along games.
 *
 *     cc examples/accumulator.c $(pkg-config --cflags --libs setwise) -o accumulator && ./accumulator
 *
 * Plays random games and sometimes takes moves back, as a search does. A node stores the changes of threats by its
 * move. When a node is evaluated, its two accumulators are updated from the last node that has them. Every evaluation
 * is checked against an accumulator computed from the full list of inputs. The weights are random. */
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

/* A position, and the changes of threats by the move that led to it. */
typedef struct {
    setwise_pieces pieces;
    setwise_state state;
    uint8_t mailbox[64];
    uint8_t kings[2];
    setwise_threat_change changes[SETWISE_MAX_MOVE_CHANGES];
    size_t change_count;
    int16_t values[2][WIDTH];
    int is_up_to_date[2];
} node;

static node nodes[MAX_PLY + 1];

/* Computes an accumulator from all inputs: when a search starts, and when the king has crossed the middle. */
static void make_anew(const node *node, int side, int16_t values[WIDTH])
{
    static uint32_t inputs[SETWISE_MAX_INPUTS];
    size_t count;
    check(setwise_pieces_perspective_inputs(NULL, &node->pieces, set, (uint8_t)side, inputs, SETWISE_MAX_INPUTS, &count));
    memset(values, 0, WIDTH * sizeof *values);
    for (size_t i = 0; i < count; i++)
        for (int w = 0; w < WIDTH; w++)
            values[w] = (int16_t)(values[w] + weights[inputs[i]][w]);
}

/* Updates an accumulator by the inputs that the move to the next node adds and removes. */
static void follow(const node *before, node *after, int side)
{
    static uint32_t added[SETWISE_MAX_MOVE_CHANGES], removed[SETWISE_MAX_MOVE_CHANGES];
    setwise_input_changes changes = {added, removed, SETWISE_MAX_MOVE_CHANGES, 0, 0, 0};
    check(setwise_feature_set_input_changes(set, (uint8_t)side, after->kings[side], after->changes, after->change_count,
                                            &changes));
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

/* Updates a node's accumulators from the last node that has them, unless the king has crossed the middle since then. */
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

/* Fills in the mailbox of a node, and the squares of its kings. */
static void take_squares(node *node)
{
    check(setwise_pieces_to_mailbox(&node->pieces, node->mailbox));
    for (uint8_t square = 0; square < 64; square++)
        if ((node->mailbox[square] & 7) == 6)
            node->kings[node->mailbox[square] >> 3] = square;
}

/* Makes a move, encoded as in setwise_pieces_legal_moves(), or a null move for 0. Stores the changes of threats. */
static void make(const node *before, node *after, uint16_t move)
{
    after->pieces = before->pieces;
    after->state = before->state;
    if (move != 0) {
        after->state = setwise_pieces_play(NULL, &before->pieces, before->state, move, &after->pieces);
    } else {
        after->state.turn ^= 1;
        after->state.en_passant = SETWISE_NO_SQUARE;
    }
    take_squares(after);
    setwise_square_change changes[4];
    size_t count = 0;
    for (uint8_t square = 0; square < 64; square++)
        if (after->mailbox[square] != before->mailbox[square]) {
            changes[count].square = square;
            changes[count++].piece = after->mailbox[square];
        }
    check(setwise_mailbox_threat_changes(NULL, before->mailbox, changes, count, set, after->changes,
                                         SETWISE_MAX_MOVE_CHANGES, &after->change_count));
    after->is_up_to_date[0] = after->is_up_to_date[1] = 0;
}

/* Plays a random legal move, or occasionally a null move if the side is not in check; 0 if there is no move. */
static int play(const node *before, node *after)
{
    uint16_t moves[SETWISE_MAX_LEGAL_MOVES], move = 0;
    const int count = setwise_pieces_legal_moves(NULL, &before->pieces, before->state, moves, SETWISE_MAX_LEGAL_MOVES);
    if (count <= 0)
        return 0;
    const int is_check = setwise_pieces_checkers(NULL, &before->pieces, before->state.turn) != 0;
    if (is_check || below(20) != 0)
        move = moves[below((unsigned)count)];
    make(before, after, move);
    return 1;
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
        first->pieces = fen.pieces;
        const setwise_state state = {fen.turn, fen.castling_white, fen.castling_black, fen.en_passant};
        first->state = state;
        take_squares(first);
        for (int side = 0; side < 2; side++) {
            make_anew(first, side, first->values[side]);
            first->is_up_to_date[side] = 1;
        }
        for (int ply = 0; ply < MAX_PLY;) {
            if (ply > 4 && below(6) == 0) { /* takes back some moves, as after a cut-off */
                ply -= 1 + (int)below(4);
                continue;
            }
            if (!play(&nodes[ply], &nodes[ply + 1]))
                break;
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
    printf("%zu moves with %zu changes of threats, %zu evaluations: %zu accumulators followed, %zu made anew\n", moves, records,
           evaluations, followed, made_anew);
    return EXIT_SUCCESS;
}
