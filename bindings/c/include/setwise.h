/* setwise: computes the squares attacked by whole sets of chess pieces.
 *
 * It processes one position at a time, or many with one buffer per column, using the fastest instructions detected at
 * run time. A board is a uint64_t: a1 is bit 0, h1 is bit 7, a8 is bit 56. Colours are 0 (white) and 1 (black).
 *
 *     setwise_both_maps maps = setwise_pieces_attacks(NULL, &pieces);
 *     if (maps.black.all & pieces.kings & pieces.white) puts("check");
 *
 * An engine with threat inputs calls setwise_mailbox_threat_changes() at each move, and
 * setwise_feature_set_input_changes() when it needs an accumulator; or setwise_mailbox_input_changes(), which does both
 * in one call. It calls setwise_pieces_perspective_inputs() after a king has crossed the middle of the board. The
 * comment of each function names the loop that it replaces.
 *
 * Rules for pointers, unless the comment of a function says otherwise: a pointer is not NULL, is aligned to its type,
 * and points to the number of values that the comment or the count states. A kernel is NULL or comes from this
 * library. Names are NUL-terminated. Functions that return a status check pointers for NULL, alignment and overlap,
 * and sizes against counts, before they write anything. Functions without a status cannot fail; they treat a NULL
 * position as empty. No function takes a lock, so all may be called from several threads, and in a forked child.
 *
 * If a bug in the library causes a Rust panic, the status is SETWISE_STATUS_INTERNAL. Functions without a status, and
 * setwise_mailbox_..., setwise_feature_set_input_changes and setwise_pieces_..._inputs, which do not catch panics to
 * save time, call abort() instead. No arguments are known to cause a panic.
 *
 * Link with -lsetwise; for the static library, also with -lpthread -ldl -lm, on Windows with -lws2_32 -lntdll -luserenv
 * -lbcrypt (see pkg-config --static). This file is generated from the library's source: change comments and
 * declarations there.
 */

#ifndef SETWISE_H
#define SETWISE_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header; setwise_version_number() returns that of the library in use. */
#define SETWISE_VERSION_MAJOR 0
#define SETWISE_VERSION_MINOR 1
#define SETWISE_VERSION_PATCH 0
/* The version as one number: 1.2.3 is 1002003. */
#define SETWISE_VERSION \
    (SETWISE_VERSION_MAJOR * 1000000 + SETWISE_VERSION_MINOR * 1000 + SETWISE_VERSION_PATCH)

/* Precedes every function. Define it to change the linkage, for example as __declspec(dllimport) for the shared library
 * on Windows. */
#ifndef SETWISE_API
#define SETWISE_API
#endif

// White, as the colour argument of a function.
#define SETWISE_WHITE 0

// Black. Any value other than SETWISE_WHITE means black.
#define SETWISE_BLACK 1

// Marks a missing square.
#define SETWISE_NO_SQUARE 64

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
#define SETWISE_THREAT_ADDED 2147483648

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

// The length of a buffer that suffices for the legal moves of any position. Positions that can arise in chess have at
// most 218; this suffices for any number of pieces on any squares.
#define SETWISE_MAX_LEGAL_MOVES 512

// All moves.
#define SETWISE_MOVES_ALL 0

// Moves that capture, en passant included.
#define SETWISE_MOVES_CAPTURES 1

// Moves that do not capture; promotions and castling included.
#define SETWISE_MOVES_QUIETS 2

// What setwise_pieces_parse_uci() returns for a text that is not a move.
#define SETWISE_NOT_A_MOVE -1

// What setwise_pieces_parse_uci() returns for a move that is not legal, and for any move of an invalid position.
#define SETWISE_ILLEGAL_MOVE -2

// The result of a call. After any status except SETWISE_STATUS_OK, setwise_error_message() describes the error, and
// nothing has been written except what the comment of the function names.
typedef enum setwise_status {
  // Success.
  SETWISE_STATUS_OK = 0,
  // A required pointer is null.
  SETWISE_STATUS_NULL,
  // A pointer is not aligned to its type.
  SETWISE_STATUS_UNALIGNED,
  // The size of a buffer does not match its column, or there are more rows than memory can hold.
  SETWISE_STATUS_SIZE,
  // Two buffers overlap, or a buffer overlaps an input.
  SETWISE_STATUS_OVERLAP,
  // No column has this name or number, or a column is requested twice.
  SETWISE_STATUS_COLUMN,
  // A column needs a state (turns, castling rights, en passant squares) that is not given.
  SETWISE_STATUS_STATE,
  // A column needs a feature set, but none is given; no set has this name; or the table of a block is invalid.
  SETWISE_STATUS_FEATURE_SET,
  // A buffer is too small for its lists.
  SETWISE_STATUS_CAPACITY,
  // A square is above 63 or changes twice, or its new piece is unknown.
  SETWISE_STATUS_SQUARE,
  // A side does not have exactly one king, so its inputs are undefined.
  SETWISE_STATUS_KINGS,
  // A square of the mailbox holds an unknown piece.
  SETWISE_STATUS_PIECE,
  // The text is not FEN.
  SETWISE_STATUS_FEN,
  // A bug in the library: please report it. Buffers may have been written.
  SETWISE_STATUS_INTERNAL,
} setwise_status;

// The number of values of a column for each position.
typedef enum setwise_shape {
  // There is no such column.
  SETWISE_SHAPE_NONE = 0,
  // One.
  SETWISE_SHAPE_VALUE,
  // A list whose length depends on the position: all lists are contiguous, with offsets.
  SETWISE_SHAPE_LIST,
  // The same number for all positions. The values of a position are contiguous.
  SETWISE_SHAPE_ARRAY,
} setwise_shape;

// The parts of each position that a column needs.
typedef enum setwise_needs {
  // The pieces.
  SETWISE_NEEDS_PIECES = 0,
  // The pieces and the side to move: `turns` of setwise_positions.
  SETWISE_NEEDS_TURN,
  // The complete state: `turns`, `castling_white`, `castling_black` and `en_passant`.
  SETWISE_NEEDS_STATE,
} setwise_needs;

// A feature set: the inputs of a network, which are numbered facts about a position from the perspectives of white and
// black. It is a sequence of blocks of inputs, returned by setwise_feature_set_find(), setwise_feature_set_at() or
// setwise_feature_set_new().
typedef struct setwise_feature_set setwise_feature_set;

// A choice of instructions. Every function with a kernel parameter accepts NULL, which selects the fastest kernel that
// this processor can run. Kernels are never freed.
typedef struct setwise_kernel setwise_kernel;

// A position: a set of squares for each role (of both colours) and for each colour (of all roles). Squares are
// numbered 0 to 63, a1 = 0, h1 = 7, a8 = 56, and a set has one bit for each. The blockers are the union of `white` and
// `black`. A position may have any number of kings, including none.
//
// Reading is fastest if the position is aligned to 64 bytes; this is not required.
typedef struct setwise_pieces {
  uint64_t pawns;
  uint64_t knights;
  uint64_t bishops;
  uint64_t rooks;
  uint64_t queens;
  uint64_t kings;
  uint64_t white;
  uint64_t black;
} setwise_pieces;

// A map from the piece codes of an engine's mailbox to those of setwise_pieces_from_mailbox(): for each byte from 0 to
// 15, the code of its piece. Initialized by setwise_code_map_init(), used by setwise_mailbox_codes().
typedef struct setwise_code_map {
  uint8_t codes[16];
} setwise_code_map;

// The contents of a line of FEN.
typedef struct setwise_fen {
  struct setwise_pieces pieces;
  // Half-moves since the last capture or pawn move; 0 if missing from the line.
  uint32_t halfmove_clock;
  // The move number; 1 if missing from the line.
  uint32_t fullmove_number;
  // SETWISE_WHITE or SETWISE_BLACK; white if missing from the line.
  uint8_t turn;
  // The files of white's castling rooks, a = bit 0 to h = bit 7. Files also work for Chess960.
  uint8_t castling_white;
  // The files of black's castling rooks.
  uint8_t castling_black;
  // The square behind the pawn that has just made a double step, or SETWISE_NO_SQUARE.
  uint8_t en_passant;
} setwise_fen;

// The rays of a set of sliders, by direction: north is towards rank 8, east towards the h-file.
typedef struct setwise_rays {
  uint64_t north;
  uint64_t south;
  uint64_t east;
  uint64_t west;
  uint64_t north_east;
  uint64_t north_west;
  uint64_t south_east;
  uint64_t south_west;
} setwise_rays;

// The squares that each side's rooks, bishops and queens attack, with the orthogonal and diagonal attacks of queens
// separate.
typedef struct setwise_slider_maps {
  uint64_t white_rook;
  uint64_t white_queen_orthogonal;
  uint64_t black_rook;
  uint64_t black_queen_orthogonal;
  uint64_t white_bishop;
  uint64_t white_queen_diagonal;
  uint64_t black_bishop;
  uint64_t black_queen_diagonal;
} setwise_slider_maps;

// The attack maps of one side: the squares attacked by each role, by any piece, and by at least two pieces. A square
// is attacked if a piece could capture an enemy piece there. Squares of own pieces are included (as defended).
// Pins are ignored.
typedef struct setwise_maps {
  uint64_t pawn;
  uint64_t knight;
  uint64_t bishop;
  uint64_t rook;
  uint64_t queen;
  uint64_t king;
  uint64_t all;
  uint64_t twice;
} setwise_maps;

// The attack maps of both sides.
typedef struct setwise_both_maps {
  struct setwise_maps white;
  struct setwise_maps black;
} setwise_both_maps;

// Facts about a side's king; the enemy is the other side. With several kings, every king counts.
typedef struct setwise_king_facts {
  // The results of setwise_pieces_checkers(), setwise_pieces_pinned() and setwise_pieces_pinners().
  uint64_t checkers;
  uint64_t pinned;
  uint64_t pinners;
  // The enemy's pieces that stand alone between the king and an enemy slider: they give discovered check if they
  // leave the line.
  uint64_t discoverers;
  // The result of setwise_pieces_king_danger().
  uint64_t danger;
  // For each role, the squares from which an enemy piece gives check; empty for kings.
  uint64_t checking_squares[6];
} setwise_king_facts;

// The facts about the kings of both sides.
typedef struct setwise_both_king_facts {
  struct setwise_king_facts white;
  struct setwise_king_facts black;
} setwise_both_king_facts;

// A threat: a piece on `from` attacks the occupied square `to`, of either colour (an own piece there is defended).
typedef struct setwise_threat {
  uint8_t from;
  uint8_t to;
} setwise_threat;

// The table of a block of threats. Roles are numbered from 0 (pawn) to 5 (king). Squares are flipped vertically for
// black, so that the side moves up the board, and mirrored according to `mirror`. The input of a threat is
//
//     base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
//
// for an attacker `A` of role `a` and a victim `V` of role `v`. On an empty board, `rank` is the number of squares
// below `to` that `A` attacks from `from`; `before` is the number of squares that `A` attacks from each square below
// `from`, summed over these squares; `moves` is this sum over all squares. `base` is the sum of `targets * moves` over
// the pieces before `A`, in the order own pawn to own king, then the enemy's.
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

// A square and its new contents, as in a mailbox: 0 for nothing, 1 to 6 for white's pawn, knight, bishop, rook, queen
// and king, 9 to 14 for black's.
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

// The state of a position that legal moves depend on, apart from the pieces. The fields are as in setwise_fen.
typedef struct setwise_state {
  // SETWISE_WHITE or SETWISE_BLACK.
  uint8_t turn;
  // The files of white's castling rooks, a = bit 0 to h = bit 7.
  uint8_t castling_white;
  // The files of black's castling rooks.
  uint8_t castling_black;
  // The square behind a pawn that has just made a double step, or SETWISE_NO_SQUARE.
  uint8_t en_passant;
} setwise_state;

// Many positions, as rows or columns. Set unused fields to 0.
typedef struct setwise_positions {
  // The number of positions.
  size_t count;
  // `count` positions, or NULL if they are in columns. Rows that are aligned to 64 bytes are read in place; others
  // are copied in parts.
  const struct setwise_pieces *rows;
  // `count` sets in each column, in the order of setwise_pieces: pawns, knights, bishops, rooks, queens, kings,
  // white, black. Ignored if there are rows.
  const uint64_t *columns[8];
  // `count` sides to move, or NULL. setwise_column_needs() returns whether a column needs them.
  const uint8_t *turns;
  // `count` sets of the files of white's castling rooks, a = bit 0 to h = bit 7, or NULL.
  const uint8_t *castling_white;
  // `count` sets of the files of black's castling rooks, or NULL.
  const uint8_t *castling_black;
  // `count` squares behind a pawn that has just made a double step, or SETWISE_NO_SQUARE for none; or NULL.
  const uint8_t *en_passant;
} setwise_positions;

// A column and the buffer for its values. Set unused fields to 0.
typedef struct setwise_buffer {
  // The column's number, from setwise_column_find() or setwise_column_select().
  int32_t column;
  // The values, of setwise_column_value_bytes() each: one per position; for a SETWISE_SHAPE_ARRAY,
  // setwise_column_length() per position; for a SETWISE_SHAPE_LIST, all lists one after another.
  void *values;
  // The size of `values` in bytes: exactly what the positions need, or for lists, the space available.
  size_t bytes;
  // For lists, `count + 1` offsets, counted in values: the start of each list in `values`, and the end of the last
  // list. List `i` goes from `offsets[i]` up to, but not including, `offsets[i + 1]`.
  size_t *offsets;
  // Receives 1 for each position that has a value, and 0 for the others, for which the column has zeros or an empty
  // list. May be NULL.
  uint8_t *validity;
  // The feature set, for columns that need one; see setwise_feature_set_find().
  const struct setwise_feature_set *feature_set;
} setwise_buffer;

// Buffers for successors, and the part that is used.
typedef struct setwise_successors {
  // The capacity of the buffers, in successors.
  size_t capacity;
  // `capacity` positions.
  struct setwise_pieces *pieces;
  // `capacity` states.
  struct setwise_state *states;
  // `capacity` moves, as setwise_pieces_legal_moves() writes them.
  uint16_t *moves;
  // One offset per position and a last one: the successors of position `i` go from `offsets[i]` up to, but not
  // including, `offsets[i + 1]`.
  size_t *offsets;
  // Set by the call: the number of positions with all their successors in the buffers. The successors of the next
  // position did not fit.
  size_t parents;
  // Set by the call: the number of successors.
  size_t count;
} setwise_successors;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ---- The library: version, errors, choice of instructions ---- */

// The version of the library in use as a number, to compare with SETWISE_VERSION, the version of the header.
SETWISE_API uint32_t setwise_version_number(void);

// The version of the library in use, such as "0.1.0".
SETWISE_API const char *setwise_version_string(void);

// The message of the last failed call in this thread, in UTF-8; empty if no call has failed. It stays valid until the
// next failed call in this thread.
SETWISE_API const char *setwise_error_message(void);

// The fastest kernel that this processor can run.
SETWISE_API const struct setwise_kernel *setwise_kernel_detect(void);

// The kernel with this name, such as "avx2" or "avx512-gfni". NULL if the name is unknown or if this processor or this
// build cannot run the kernel; setwise_error_message() then describes the error.
SETWISE_API const struct setwise_kernel *setwise_kernel_find(const char *name);

// A kernel of this processor by its index, from the simplest to the fastest; NULL after the last.
SETWISE_API const struct setwise_kernel *setwise_kernel_at(size_t index);

// The name of a kernel.
SETWISE_API const char *setwise_kernel_name(const struct setwise_kernel *kernel);

/* ---- Positions: from bitboards, a mailbox, FEN ---- */

// Creates a position from twelve sets: six for white (pawns, knights, bishops, rooks, queens, kings), six for black.
SETWISE_API enum setwise_status setwise_pieces_from_bitboards(const uint64_t *white, const uint64_t *black,
    struct setwise_pieces *pieces);

// Creates a position from the pieces on the 64 squares from a1 to h8: 0 for none, 1 to 6 for white's pawn, knight,
// bishop, rook, queen and king, 9 to 14 for black's. If a square has another value, the status is
// SETWISE_STATUS_PIECE.
SETWISE_API enum setwise_status setwise_pieces_from_mailbox(const uint8_t *mailbox, struct setwise_pieces *pieces);

// Writes the piece on each of the 64 squares, encoded as in setwise_pieces_from_mailbox(); 7 for a square with a
// colour but no role, which blocks.
SETWISE_API enum setwise_status setwise_pieces_to_mailbox(const struct setwise_pieces *pieces, uint8_t *mailbox);

// Initializes a map from twelve different bytes from 0 to 15: an engine's codes for white's pawn, knight, bishop,
// rook, queen and king, then for black's. Every other byte is an empty square.
SETWISE_API enum setwise_status setwise_code_map_init(const uint8_t *own, struct setwise_code_map *map);

// Converts the 64 squares of a mailbox from an engine's codes to the codes that setwise_mailbox_threat_changes() and
// other functions read. The code for a byte above 15 is unspecified.
SETWISE_API enum setwise_status setwise_mailbox_codes(const struct setwise_kernel *kernel,
    const struct setwise_code_map *map, const uint8_t *mailbox, uint8_t *codes);

// Parses FEN or EPD, including Shredder-FEN; trailing fields may be missing. The rules of chess are not checked.
// `length` is in bytes; the text may include a line end.
//
// If the text is not FEN, the status is SETWISE_STATUS_FEN. setwise_error_message() then says what was expected and
// what was found, and `*error_column` is the column of the first wrong character, counted from 1. After success it is
// 0. `error_column` may be NULL.
SETWISE_API enum setwise_status setwise_fen_parse(const char *text, size_t length, struct setwise_fen *fen,
    size_t *error_column);

/* ---- An evaluation: attacks by sets of sliders and by whole sides ---- */

// The union of the squares that orthogonal sliders (rooks, queens) and diagonal sliders (bishops, queens) attack.
// Queens are in both sets. Sliders of a set always block each other, whether or not `occupied` contains them, but
// a bishop blocks a rook only if `occupied` contains the bishop.
SETWISE_API uint64_t setwise_sliders_attacks(const struct setwise_kernel *kernel, uint64_t orthogonal,
    uint64_t diagonal, uint64_t occupied);

// The squares that sliders attack along ranks and files.
SETWISE_API uint64_t setwise_sliders_orthogonal_attacks(const struct setwise_kernel *kernel, uint64_t sliders,
    uint64_t occupied);

// The squares that sliders attack along diagonals.
SETWISE_API uint64_t setwise_sliders_diagonal_attacks(const struct setwise_kernel *kernel, uint64_t sliders,
    uint64_t occupied);

// The rays of setwise_sliders_attacks(), one for each direction.
SETWISE_API struct setwise_rays setwise_sliders_rays(const struct setwise_kernel *kernel, uint64_t orthogonal,
    uint64_t diagonal, uint64_t occupied);

// The squares that each side's sliders attack, by role: eight sets for much less than the cost of eight calls.
SETWISE_API struct setwise_slider_maps setwise_pieces_slider_attacks(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces);

// The attack maps of both sides. All pieces block.
SETWISE_API struct setwise_both_maps setwise_pieces_attacks(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces);

// The attack maps of one side with the caller's choice of blockers; its own sliders always block too. With the
// enemy king removed from `occupied`, `all` contains the squares that this king may not move to, and the same call
// returns the other maps for the evaluation.
SETWISE_API struct setwise_maps setwise_pieces_attacks_by(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, uint8_t colour, uint64_t occupied);

// The squares that one side attacks: `all` of setwise_pieces_attacks_by() without the other maps.
SETWISE_API uint64_t setwise_pieces_attacked(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    uint8_t colour, uint64_t occupied);

// The pieces of a colour that attack a square of a set, given the blockers.
SETWISE_API uint64_t setwise_pieces_attackers(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    uint8_t colour, uint64_t targets, uint64_t occupied);

// The pieces of both colours that attack a square of a set, given the blockers: one call instead of two calls to
// setwise_pieces_attackers().
SETWISE_API uint64_t setwise_pieces_all_attackers(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, uint64_t targets, uint64_t occupied);

/* ---- A node: checks, pins and danger of a side's king ---- */

// The pieces that give check to a colour.
SETWISE_API uint64_t setwise_pieces_checkers(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    uint8_t colour);

// The pieces of a colour that are pinned to their king. They may still move along setwise_squares_ray_pass(king,
// square).
SETWISE_API uint64_t setwise_pieces_pinned(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    uint8_t colour);

// The enemy sliders that pin a piece of a colour to its king.
SETWISE_API uint64_t setwise_pieces_pinners(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    uint8_t colour);

// The squares where a king of the colour would be in check: those that the enemy attacks with that king off the
// board.
SETWISE_API uint64_t setwise_pieces_king_danger(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, uint8_t colour);

// All facts about a side's king in one call, which takes about half the time of separate calls.
SETWISE_API struct setwise_king_facts setwise_pieces_king_facts(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, uint8_t colour);

// setwise_pieces_king_facts() for both sides.
SETWISE_API struct setwise_both_king_facts setwise_pieces_both_king_facts(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces);

/* ---- One slider, lines and leapers ---- */

// The squares that a rook on a square attacks; empty if the square is above 63, as in the following functions with
// square arguments.
SETWISE_API uint64_t setwise_rook_attacks(uint8_t square, uint64_t occupied);

// The squares that a bishop on a square attacks.
SETWISE_API uint64_t setwise_bishop_attacks(uint8_t square, uint64_t occupied);

// The squares that a queen on a square attacks.
SETWISE_API uint64_t setwise_queen_attacks(uint8_t square, uint64_t occupied);

// The squares strictly between two squares; empty if they share no rank, file or diagonal.
SETWISE_API uint64_t setwise_squares_between(uint8_t a, uint8_t b);

// The whole line through two squares, from edge to edge; empty if they share no rank, file or diagonal.
SETWISE_API uint64_t setwise_squares_line_through(uint8_t a, uint8_t b);

// The ray from `a` that passes `b`, up to the edge: the squares between, `b` and all beyond it; empty as above.
SETWISE_API uint64_t setwise_squares_ray_pass(uint8_t a, uint8_t b);

// The squares beyond `b`, seen from `a`; empty as above.
SETWISE_API uint64_t setwise_squares_beyond(uint8_t a, uint8_t b);

// The squares that a colour's pawns attack.
SETWISE_API uint64_t setwise_pawns_attacks(uint8_t colour, uint64_t pawns);

// The squares that knights attack.
SETWISE_API uint64_t setwise_knights_attacks(uint64_t knights);

// The squares that kings attack.
SETWISE_API uint64_t setwise_kings_attacks(uint64_t kings);

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

// Computes the threats that a move, or any other change of squares, adds to a position and removes from it. Replaces
// an engine's loops when it puts, removes or moves a piece: over the pieces that it attacks, over its attackers, and
// over the sliders whose rays cross its square.
//
// `mailbox` is the position before the change: the piece on each of the 64 squares as in
// setwise_pieces_from_mailbox(). If it has other values, the records are unspecified. `changes` are the squares that
// change, in any order, each once. If `set` is not NULL, threats between pieces for which it has no inputs are
// omitted. A threat that would be both added and removed by the same call is not recorded.
//
// Writes the records to the start of `records`, and their number to `*count`; the rest of the buffer is unspecified
// after the call. SETWISE_MAX_MOVE_CHANGES records suffice for a move. A smaller buffer is allowed, but takes longer;
// if the records do not fit, the status is SETWISE_STATUS_CAPACITY and nothing is written. If a square is above 63 or
// occurs twice, or if a piece is above 15, the status is SETWISE_STATUS_SQUARE.
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

/* ---- Legal moves and exchanges ---- */

// Writes the squares to which each piece of the side to move can legally move, by its square: `targets` has 64
// sets, a1 to h8. Castling moves the king by two squares if the king is on the e-file and the rook in a corner,
// otherwise (Chess960) to the rook's square. Returns 1; or 0, with empty sets, if the position is invalid: if a
// side does not have exactly one king, if the side not to move is in check, or if a square has two pieces.
SETWISE_API int32_t setwise_pieces_legal_targets(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, struct setwise_state state, uint64_t *targets);

// Lists the legal moves by origin, then destination, then promotion to a knight, a bishop, a rook and a queen.
// Writes the first `capacity` moves and returns the number of all moves; -1 if the position is invalid.
// SETWISE_MAX_LEGAL_MOVES suffice. A move is destination + 64 * origin + 4096 * role + 16384 * special, where
// `special` is 1 for a promotion to `role` (0 knight, 1 bishop, 2 rook, 3 queen), 2 for en passant, 3 for
// castling. For many positions use the column `legal_moves`.
SETWISE_API int32_t setwise_pieces_legal_moves(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, struct setwise_state state, uint16_t *moves, size_t capacity);

// Lists legal moves from facts returned by setwise_pieces_king_facts() for the side to move: only moves from `origins`
// to `destinations`, of the kind selected by a SETWISE_MOVES_... constant. Order, bits, `capacity` and the result are
// as in setwise_pieces_legal_moves(), but the position is not validated: if it is invalid, the moves are unspecified.
SETWISE_API int32_t setwise_king_facts_legal_moves(const struct setwise_king_facts *facts,
    const struct setwise_pieces *pieces, struct setwise_state state, uint8_t kind, uint64_t origins,
    uint64_t destinations, uint16_t *moves, size_t capacity);

// Plays a legal move, in the bits of setwise_pieces_legal_moves(): writes the pieces of the new position to
// `after` and returns its state. `after` may be `pieces`, or NULL. After every double step, the en passant square
// is set. If the move is not legal, the position is unspecified; if the bits are not a move, the position does not
// change.
SETWISE_API struct setwise_state setwise_pieces_play(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, struct setwise_state state, uint16_t played, struct setwise_pieces *after);

// Static exchange evaluation: 1 if the side that plays a move (in the bits of setwise_pieces_legal_moves()) wins at
// least `threshold` when both sides keep capturing on its destination as long as they profit, else 0. `values` are
// the values of a pawn, knight, bishop, rook, queen and king. Each side captures with its least valuable piece in this
// order. Sliders behind other attackers take part; pins are ignored. Castling, a move from an empty square, and bits
// that are not a move win 0.
SETWISE_API int32_t setwise_pieces_see(const struct setwise_pieces *pieces, uint16_t played, const int32_t *values,
    int32_t threshold);

// The number of legal moves, with four for each promotion; -1 if the position is invalid.
SETWISE_API int32_t setwise_pieces_legal_count(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, struct setwise_state state);

// 1 if the side to move is in check, 2 if it is checkmated, 3 if it is stalemated, 0 otherwise; -1 if the position
// is invalid. For many positions use the column `status`.
SETWISE_API int32_t setwise_pieces_legal_status(const struct setwise_kernel *kernel,
    const struct setwise_pieces *pieces, struct setwise_state state);

// The legal move that a text of UCI names, such as "e2e4" or "e7e8q", in the bits of setwise_pieces_legal_moves();
// SETWISE_NOT_A_MOVE or SETWISE_ILLEGAL_MOVE, which are negative, if there is none. Castling is the king's move
// ("e1g1") or, as in Chess960, king takes rook ("e1h1"). `length` is in bytes; the text need not end with a NUL.
SETWISE_API int32_t setwise_pieces_parse_uci(const struct setwise_kernel *kernel, const struct setwise_pieces *pieces,
    struct setwise_state state, const char *text, size_t length);

// The state without its en passant square if no legal move captures there, so that equal positions have equal states
// and keys. The position is not validated.
SETWISE_API struct setwise_state setwise_pieces_legal_en_passant(const struct setwise_pieces *pieces,
    struct setwise_state state);

// The Zobrist key of a position. It is the exclusive or of a number for each element of the eight sets of setwise_pieces
// and of the state: a piece counts twice, by role and by colour. The numbers are those of splitmix64, seeded with 0, and
// will not change. An en passant square counts even if no pawn can capture there: see
// setwise_pieces_legal_en_passant().
SETWISE_API uint64_t setwise_pieces_key(const struct setwise_pieces *pieces, struct setwise_state state);

// The change of the key from one position to another: the exclusive or of their keys. For a move it takes some eight
// look-ups.
SETWISE_API uint64_t setwise_pieces_key_change(const struct setwise_pieces *before, struct setwise_state state_before,
    const struct setwise_pieces *after, struct setwise_state state_after);

/* ---- Many positions: sliders ---- */

// The squares that the sliders of each row attack: setwise_sliders_attacks() for `count` rows.
SETWISE_API enum setwise_status setwise_sliders_fill_attacks(const struct setwise_kernel *kernel, size_t count,
    const uint64_t *orthogonal, const uint64_t *diagonal, const uint64_t *occupied, uint64_t *attacks);

// The rays of the sliders of each row, in eight buffers of `count` sets, one for each direction in the order of
// setwise_rays: north, south, east, west, north-east, north-west, south-east, south-west.
SETWISE_API enum setwise_status setwise_sliders_fill_rays(const struct setwise_kernel *kernel, size_t count,
    const uint64_t *orthogonal, const uint64_t *diagonal, const uint64_t *occupied, uint64_t *const *rays);

/* ---- Many positions: columns ---- */

// The number of columns. Columns are numbered from 0. The numbers may change with the version of the library, so look
// them up when the program starts.
SETWISE_API int32_t setwise_column_count(void);

// The number of a column by its name, such as "white_all" (`docs/columns.md` lists them). -1 if there is no such
// column; setwise_error_message() then suggests the nearest name.
SETWISE_API int32_t setwise_column_find(const char *name);

// Finds columns by a comma-separated list of names, patterns such as "white_*", and presets ("default", "all",
// "counts", "mobility", "rings"). Writes their number to `count`, and the first `capacity` column numbers to
// `columns`.
//
// If a name is unknown, the status is SETWISE_STATUS_COLUMN, and setwise_error_message() suggests the nearest name. If
// there are more than `capacity` columns, the status is SETWISE_STATUS_CAPACITY.
SETWISE_API enum setwise_status setwise_column_select(const char *names, int32_t *columns, size_t capacity,
    size_t *count);

// The name of a column; NULL if there is no such column.
SETWISE_API const char *setwise_column_name(int32_t column);

// The meaning of a column, in English; NULL if there is no such column.
SETWISE_API const char *setwise_column_meaning(int32_t column);

// The size of one value of a column in bytes: 8 for uint64_t (a set of squares), 4, 2 or 1 for smaller unsigned
// integers; 0 if there is no such column.
SETWISE_API size_t setwise_column_value_bytes(int32_t column);

// The shape of a column; SETWISE_SHAPE_NONE if there is no such column.
SETWISE_API enum setwise_shape setwise_column_shape(int32_t column);

// The number of values of a column for each position: 1, or the length of a SETWISE_SHAPE_ARRAY; 0 for lists and if
// there is no such column.
SETWISE_API size_t setwise_column_length(int32_t column);

// The parts of each position that a column needs.
SETWISE_API enum setwise_needs setwise_column_needs(int32_t column);

// Returns 1 if positions may have no value in a column, else 0. `validity` of setwise_buffer reports these positions.
SETWISE_API int32_t setwise_column_is_nullable(int32_t column);

// Returns 1 if a column needs a feature set, to be set as `feature_set` of setwise_buffer, else 0.
SETWISE_API int32_t setwise_column_needs_feature_set(int32_t column);

// Fills `buffer_count` columns for many positions. Work that no column needs is skipped, so request all columns in one
// call. Nothing is written unless all arguments are valid.
//
// If a buffer is too small for its lists, the status is SETWISE_STATUS_CAPACITY. Everything else is filled, including
// the `offsets`; the last offset is the number of values needed.
SETWISE_API enum setwise_status setwise_positions_fill(const struct setwise_kernel *kernel,
    const struct setwise_positions *positions, const struct setwise_buffer *buffers, size_t buffer_count);

// Computes the positions after all legal moves, in the order of setwise_pieces_legal_moves(). Stops at the first
// position whose successors do not fit; the status is SETWISE_STATUS_OK, and `parents` is less than the number of
// positions. The positions need turns, castling rights and en passant squares. Invalid positions have no successors;
// in the column `legal_count` they have no value.
SETWISE_API enum setwise_status setwise_positions_successors(const struct setwise_kernel *kernel,
    const struct setwise_positions *positions, struct setwise_successors *successors);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SETWISE_H */
