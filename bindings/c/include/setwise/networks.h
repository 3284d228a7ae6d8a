/* setwise: threats, and the inputs of networks. Include setwise.h, which states the rules for pointers. */

#ifndef SETWISE_NETWORKS_H
#define SETWISE_NETWORKS_H

#include "position.h"

// The maximum number of threats of any position.
#define SETWISE_MAX_THREATS 420

// The maximum number of blocks of a set.
#define SETWISE_MAX_FEATURE_BLOCKS 4

// A block never mirrors the board.
#define SETWISE_MIRROR_NEVER 0

// A side sees the board mirrored while its king is on the files e to h, so that it sees the king on a to d.
#define SETWISE_MIRROR_KING_TO_A_TO_D 1

// A side sees the board mirrored while its king is on the files a to d, so that it sees the king on e to h.
#define SETWISE_MIRROR_KING_TO_E_TO_H 2

// The kinds of blocks.
#define SETWISE_BLOCK_THREATS 0

#define SETWISE_BLOCK_PAWN_PAIRS 1

#define SETWISE_BLOCK_PIECE_SQUARE 2

// The bit of a setwise_threat_change that marks an added threat.
#define SETWISE_THREAT_ADDED 2147483648u

// The length of a buffer of setwise_threat_change that suffices for any move, which changes up to four squares.
#define SETWISE_MAX_MOVE_CHANGES 200

// The length of a buffer of setwise_threat_change that suffices for any number of changed squares.
#define SETWISE_MAX_CHANGES 848

// The length of a buffer that suffices for the inputs of any position from one perspective, with any named set. For
// other sets use setwise_feature_set_max_inputs().
#define SETWISE_MAX_INPUTS 888

// The length of a buffer that suffices for the inputs that any move adds, or removes, from one perspective, with any
// named set. For other sets and more than four squares use setwise_feature_set_max_changes().
#define SETWISE_MAX_MOVE_INPUTS 272

// A feature set: the inputs of a network, which are numbered facts about a position from the perspectives of white and
// black. It is a sequence of blocks of inputs, returned by setwise_feature_set_find(), setwise_feature_set_at() or
// setwise_feature_set_new().
typedef struct setwise_feature_set setwise_feature_set;

// A threat: a piece on `from` attacks the occupied square `to`, of either colour (an own piece there is defended).
typedef struct setwise_threat {
  uint8_t from;
  uint8_t to;
} setwise_threat;

// The table of a block of threats. Roles are numbered from 0 (pawn) to 5 (king). Squares are flipped vertically for
// black, so that the side moves up the board, and mirrored according to `mirror`; own pieces are treated as white. The
// input of a threat is
//
//     base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
//
// for an attacker `A` of role `a` and a victim `V` of role `v`. `enemy(V)` is 1 if the victim belongs to the enemy of
// the side whose inputs these are, also if an enemy piece attacks it. On an empty board, `rank` is the number of
// squares below `to` that `A` attacks from `from`; `before` is the number of squares that `A` attacks from each square
// below `from`, summed over these squares; `moves` is this sum over all squares (84, 336, 560, 896, 1456 and 420).
// `base` is the sum of `targets * moves` over the pieces before `A`, in the order own pawn to own king, then the
// enemy's. A pawn on its first rank attacks nothing and has no inputs.
typedef struct setwise_threat_inputs {
  // The number of kinds of victims of an attacker of each role: half of them own pieces, half the enemy's. Even and
  // at most 14.
  uint8_t targets[6];
  // The index of a victim's role among the kinds of victims of an attacker's role, `map[attacker][victim]`; negative
  // if the two roles have no inputs.
  int8_t map[6][6];
  // For two pieces of the same role that attack each other, by role, then for friends and enemies: 1 if only the
  // threat from the higher square to the lower has an input, 0 if both threats have one. Must be 0 for friendly
  // pawns, which never attack each other.
  uint8_t once[6][2];
  // One of the SETWISE_MIRROR_... constants.
  uint8_t mirror;
} setwise_threat_inputs;

// The table of a block of pawn pairs: two pawns of any colours on the same file or on nearby files, each pair once. A
// pawn's number is
//
//     squares * (0 own, 1 the enemy's) + square - 8 * (first_rank - 1)
//
// where `squares` is the number of squares on the ranks that count, 48 for the ranks 2 to 7. The input of a pair is
// high * (high - 1) / 2 + low, from the higher and the lower number.
typedef struct setwise_pawn_pair_inputs {
  // The maximum distance of the two files: 0 for the same file only, 1 to include adjacent files, up to 7.
  uint8_t files_apart;
  // The first and the last rank on which pawns count, 1 to 8. They add up to 9.
  uint8_t first_rank;
  uint8_t last_rank;
  // One of the SETWISE_MIRROR_... constants.
  uint8_t mirror;
} setwise_pawn_pair_inputs;

// The table of a block of piece-square inputs. The input of a piece is
//
//     square + 64 * planes[0 own, 1 the enemy's][role] + 64 * (number of planes) * buckets[king]
//
// where `king` is the square of the side's own king. Both squares are flipped and mirrored as for threats.
typedef struct setwise_piece_square_inputs {
  // The bucket for each square of the own king, as the side sees the board: all 0 if the inputs do not depend on the
  // king.
  uint8_t buckets[64];
  // The plane of each piece, own pieces first, then the enemy's, at most 63; negative if the piece has no inputs.
  // The number of planes is the highest plane plus 1.
  int8_t planes[2][6];
  // One of the SETWISE_MIRROR_... constants.
  uint8_t mirror;
} setwise_piece_square_inputs;

// One family of inputs of a set. Only the table of the block's kind is read; the other two are ignored.
typedef struct setwise_feature_block {
  // The hash that identifies the block in a network's file, or 0.
  uint32_t hash;
  // The number of inputs of the block for which trainers reserve space in a padded row; see
  // setwise_feature_set_row_width().
  uint16_t width;
  // One of the SETWISE_BLOCK_... constants.
  uint8_t kind;
  // The table of the kind.
  struct setwise_threat_inputs threats;
  struct setwise_pawn_pair_inputs pawn_pairs;
  struct setwise_piece_square_inputs piece_square;
} setwise_feature_block;

// A square and its new contents, as setwise_pieces_to_mailbox() writes them: 0 for nothing, 1 to 6 for white's pawn,
// knight, bishop, rook, queen and king, 9 to 14 for black's, 7 for a blocker that is attacked but attacks nothing. With 8
// or 15 the results are unspecified.
//
// A move is two changes: the origin becomes empty, and the destination holds the piece, which replaces a captured
// piece. A promotion puts another piece on the destination. En passant is three changes; castling is up to four.
typedef struct setwise_square_change {
  uint8_t square;
  uint8_t piece;
} setwise_square_change;

// A threat that is added or removed: the attacker's square in bits 0 to 7, the victim's square in bits 8 to 15, the
// attacker in bits 16 to 23 and the victim in bits 24 to 27, both as in a mailbox. Bit 31 is 1 if the threat is added,
// 0 if it is removed.
typedef uint32_t setwise_threat_change;

// The changes of one side's inputs. Set the first three fields; the call sets the others.
typedef struct setwise_input_changes {
  // Buffers for the inputs that are added and for those that are removed.
  uint32_t *added;
  uint32_t *removed;
  // The capacity of each buffer, in inputs.
  size_t capacity;
  // The number of inputs that are added and removed.
  size_t added_count;
  size_t removed_count;
  // 1 if the side's king has crossed the middle of the board and the set mirrors, or has moved to another bucket;
  // otherwise 0. If 1, all inputs of a block change, and nothing is written to the buffers: compute the side's
  // inputs from scratch with setwise_pieces_perspective_inputs().
  uint8_t is_anew;
} setwise_input_changes;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A network: threats and feature sets ---- */

// Writes the first `capacity` threats of both sides, in an order that is the same for every kernel, and returns
// the number of all threats. SETWISE_MAX_THREATS suffice for any position. For many positions use the column
// `threats`, in which a threat is from + 256 * to.
SETWISE_API size_t setwise_pieces_threats(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    struct setwise_threat *threats, size_t capacity);

// The set with this name, such as "nnue-pytorch-2026-07", or the sets with several names joined by `+`, such as
// "stockfish-threats-2026-08+halfka-hm". NULL if there is none; setwise_error_message() then lists the names. The set
// is never freed.
SETWISE_API const struct setwise_feature_set *setwise_feature_set_find(const char *name);

// A named set by its index; NULL after the last.
SETWISE_API const struct setwise_feature_set *setwise_feature_set_at(size_t index);

// Creates a set from a sequence of `count` blocks. Free it with setwise_feature_set_free(). The name of a set with a
// NULL `name` is "custom".
//
// The status is SETWISE_STATUS_FEATURE_SET if a table is invalid, if there are no blocks or more than
// SETWISE_MAX_FEATURE_BLOCKS, if blocks overlap, or if the name is longer than 127 bytes.
SETWISE_API enum setwise_status setwise_feature_set_new(const char *name, const struct setwise_feature_block *blocks,
    size_t count, struct setwise_feature_set **set);

// Frees a set created by setwise_feature_set_new(). Ignores NULL and named sets.
SETWISE_API void setwise_feature_set_free(struct setwise_feature_set *set);

// The name of a set; NULL for NULL.
SETWISE_API const char *setwise_feature_set_name(const struct setwise_feature_set *set);

// The number of inputs of a set, which are numbered from 0; 0 for NULL.
SETWISE_API uint32_t setwise_feature_set_inputs(const struct setwise_feature_set *set);

// The length of a buffer that suffices for the inputs of any position from one perspective; 0 for NULL.
SETWISE_API size_t setwise_feature_set_max_inputs(const struct setwise_feature_set *set);

// The length of a buffer that suffices for the inputs that a change of this number of squares adds, or removes, from
// one perspective; 0 for NULL.
SETWISE_API size_t setwise_feature_set_max_changes(const struct setwise_feature_set *set, size_t squares);

// The width of padded rows of a set in trainers: the sum of `width` over its blocks. Few positions from games have
// more inputs. 0 for NULL.
SETWISE_API size_t setwise_feature_set_row_width(const struct setwise_feature_set *set);

// The number of blocks of a set; 0 for NULL.
SETWISE_API size_t setwise_feature_set_block_count(const struct setwise_feature_set *set);

// Writes a block of a set and its first input. If there is no block with this index, the status is
// SETWISE_STATUS_FEATURE_SET.
SETWISE_API enum setwise_status setwise_feature_set_block(const struct setwise_feature_set *set, size_t index,
    struct setwise_feature_block *block, uint32_t *first);

// Returns 1 if a side's inputs keep their numbers when its king moves from one square to another. Returns 0 if the
// inputs of a block are renumbered, if a square is above 63, or if the set is NULL.
SETWISE_API int32_t setwise_feature_set_is_same_view(const struct setwise_feature_set *set, uint8_t colour,
    uint8_t from, uint8_t to);

/* ---- A network: changes by a move ---- */

// Computes the threats that a move, or any other change of squares, adds to a position and removes from it.
// Replaces an engine's loops when it puts, removes or moves a piece: over the pieces that it attacks, over its
// attackers, and over the sliders whose rays cross its square.
//
// `mailbox` is the position before the change: the piece on each of the 64 squares as in
// setwise_pieces_to_mailbox(). If it has other values, the records are unspecified. `changes` are the squares
// that change, in any order, each once. If `set` is not NULL, threats between pieces for which it has no inputs
// are omitted. A threat that would be both added and removed by the same call is not recorded.
//
// Writes the records to the start of `records`, and their number to `*count`; the rest of the buffer is
// unspecified after the call. SETWISE_MAX_MOVE_CHANGES records suffice for a move. A smaller buffer is allowed,
// but takes longer; if the records do not fit, the status is SETWISE_STATUS_CAPACITY and nothing is written. If a
// square is above 63 or occurs twice, or if a piece is above 15, the status is SETWISE_STATUS_SQUARE.
SETWISE_API enum setwise_status setwise_mailbox_threat_changes(const struct setwise_kernel *kernel,
    const uint8_t *mailbox, const struct setwise_square_change *changes, size_t change_count,
    const struct setwise_feature_set *set, setwise_threat_change *records, size_t capacity, size_t *count);

// Computes the inputs that a move, or any other change of squares, adds and removes for both sides, in all blocks of
// the set: threats, pairs of pawns, and pieces on squares. `sides` has two elements, white's and black's; `mailbox`
// and `changes` are as in setwise_mailbox_threat_changes(). Replaces the same loops as
// setwise_mailbox_threat_changes(), and the loop over its records for each side.
//
// If a side does not have exactly one king before and after the change, the status is SETWISE_STATUS_KINGS; if a buffer
// is too small, SETWISE_STATUS_CAPACITY (setwise_feature_set_max_changes() inputs suffice). Then nothing is written.
SETWISE_API enum setwise_status setwise_mailbox_input_changes(const struct setwise_kernel *kernel,
    const uint8_t *mailbox, const struct setwise_square_change *changes, size_t change_count,
    const struct setwise_feature_set *set, struct setwise_input_changes *sides);

// Converts records to the inputs that are added and removed for a side whose king is on `king`. They are inputs of the
// set's block of threats; setwise_mailbox_input_changes() computes the changes of other blocks too. Replaces the loop
// over the records of a move when the side's accumulator is needed. The side must have the same view before and after
// the moves: see setwise_feature_set_is_same_view().
//
// If a buffer is too small, the status is SETWISE_STATUS_CAPACITY, and nothing is written. A capacity of `record_count`
// suffices.
SETWISE_API enum setwise_status setwise_feature_set_input_changes(const struct setwise_feature_set *set,
    uint8_t colour, uint8_t king, const setwise_threat_change *records, size_t record_count,
    struct setwise_input_changes *side);

// Computes the inputs of a position from the perspectives of white and black, block by block: threats in their order,
// pawn pairs file by file, pieces by their squares. Writes them to the starts of two buffers of `capacity` inputs, and
// the counts of white and black to `counts`; the rest of each buffer is unspecified after the call.
// setwise_feature_set_max_inputs() inputs suffice for any position. Replaces the loop over all pieces and their
// attacks when an accumulator is computed from scratch.
//
// If a side does not have exactly one king, the status is SETWISE_STATUS_KINGS; if a buffer is too small,
// SETWISE_STATUS_CAPACITY. Then nothing is written. For many positions use the columns `white_features` and
// `black_features`.
SETWISE_API enum setwise_status setwise_pieces_inputs(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, const struct setwise_feature_set *set, uint32_t *white, uint32_t *black,
    size_t capacity, size_t *counts);

// setwise_pieces_inputs() from the perspective of one side: for an accumulator that is refreshed because the side's
// king has crossed the middle of the board or has moved to another bucket. Both sides must have exactly one king.
SETWISE_API enum setwise_status setwise_pieces_perspective_inputs(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, const struct setwise_feature_set *set, uint8_t colour, uint32_t *inputs,
    size_t capacity, size_t *count);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* SETWISE_NETWORKS_H */
