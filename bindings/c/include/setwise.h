/* setwise: computes the squares attacked by whole sets of chess pieces.
 *
 * One position at a time, or many with a buffer for each column, using the fastest instructions of the processor at run
 * time. A board is a uint64_t: a1 is bit 0, h1 is bit 7, a8 is bit 56. Colours are 0 (white) and 1 (black).
 *
 *     setwise_both_maps maps = setwise_pieces_attacks(NULL, &pieces);
 *     if (maps.black.all & pieces.kings & pieces.white) puts("check");
 *
 * An engine with threat inputs calls setwise_mailbox_threat_changes() at each move,
 * setwise_feature_set_input_changes_u16() when it needs an accumulator, or setwise_mailbox_input_changes_u16() for both at
 * once, and setwise_pieces_inputs_u16() when a king has crossed the middle. Each says which loop it replaces.
 *
 * Rules for pointers, unless the comment of a function says otherwise: a pointer is not NULL, is aligned to its type,
 * and points to as many values as the comment or the count says. A kernel is NULL or comes from this library. A name
 * ends with a zero. Functions that return a status check pointers for NULL, alignment and overlap, and sizes against
 * counts, before they write anything. Functions without a status cannot fail; they treat a NULL position as empty. All
 * functions may be called from several threads at the same time, and by the child of a fork: they wait for no lock.
 *
 * A bug in the library (a panic of Rust) gives SETWISE_STATUS_INTERNAL. In functions without a status and in those of
 * moves and inputs (setwise_mailbox_..., setwise_feature_set_input_changes_..., setwise_pieces_inputs_...), which catch
 * nothing to save time, it ends the program by abort(). None is known that an argument can cause.
 *
 * Link with -lsetwise; for the static library, also with -lpthread -ldl -lm (see pkg-config --static). This file is
 * generated from the library's source: change comments and declarations there.
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

// Stands for no square.
#define SETWISE_NO_SQUARE 64

// No position has more threats than this.
#define SETWISE_MAX_THREATS 420

// No set has more blocks.
#define SETWISE_MAX_FEATURE_BLOCKS 4

// A block never mirrors the board.
#define SETWISE_MIRROR_NEVER 0

// A side sees the board mirrored while its king stands on the files e to h, so that the king is always on a to d.
#define SETWISE_MIRROR_KING_TO_A_TO_D 1

// A side sees the board mirrored while its king stands on the files a to d, so that the king is always on e to h.
#define SETWISE_MIRROR_KING_TO_E_TO_H 2

// The kinds of blocks.
#define SETWISE_BLOCK_THREATS 0

#define SETWISE_BLOCK_PAWN_PAIRS 1

#define SETWISE_BLOCK_PIECE_SQUARE 2

// The bit of a setwise_threat_change that is added.
#define SETWISE_THREAT_ADDED 2147483648

// A buffer of that many setwise_threat_change suffices for the up to four squares of a move.
#define SETWISE_MAX_MOVE_CHANGES 200

// The same for any number of squares.
#define SETWISE_MAX_CHANGES 848

// A buffer of that many inputs suffices for one side's of any position, with any set that has a name of its own.
// setwise_feature_set_max_inputs() says it for every set.
#define SETWISE_MAX_INPUTS 888

// A buffer of that many inputs suffices for those that the up to four squares of a move add, or remove, with any set that
// has a name of its own. setwise_feature_set_max_changes() says it for every set and number of squares.
#define SETWISE_MAX_MOVE_INPUTS 272

// No chess position has more legal moves than 218. Where any number of pieces stands anywhere, this is enough.
#define SETWISE_MAX_LEGAL_MOVES 512

// All moves.
#define SETWISE_MOVES_ALL 0

// Moves that capture, en passant included.
#define SETWISE_MOVES_CAPTURES 1

// Moves that do not capture; promotions and castling included.
#define SETWISE_MOVES_QUIETS 2

// The result of a call. After any status but SETWISE_STATUS_OK, setwise_error_message() explains the error, and
// nothing was written except what the comment of the function names.
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
  // A column needs a feature set, but none is given; there is none of this name; a table makes none; or a set has
  // more inputs than the integers can hold.
  SETWISE_STATUS_FEATURE_SET,
  // A buffer is too small for its lists.
  SETWISE_STATUS_CAPACITY,
  // A square is above 63, or changes twice, or holds an unknown piece afterwards.
  SETWISE_STATUS_SQUARE,
  // A side has not exactly one king, so its inputs are unknown.
  SETWISE_STATUS_KINGS,
  // A square of the mailbox holds an unknown piece.
  SETWISE_STATUS_PIECE,
  // The text is not FEN.
  SETWISE_STATUS_FEN,
  // A bug in the library: please report it. Buffers may have been written.
  SETWISE_STATUS_INTERNAL,
} setwise_status;

// How many values a column has for each position.
typedef enum setwise_shape {
  // There is no such column.
  SETWISE_SHAPE_NONE = 0,
  // One.
  SETWISE_SHAPE_VALUE,
  // As many as the position needs: all lists one after another, with offsets.
  SETWISE_SHAPE_LIST,
  // The same number for all positions. The values of a position lie one after another.
  SETWISE_SHAPE_ARRAY,
} setwise_shape;

// What a column needs to know about each position.
typedef enum setwise_needs {
  // The pieces.
  SETWISE_NEEDS_PIECES = 0,
  // The pieces and the side to move: `turns` of setwise_positions.
  SETWISE_NEEDS_TURN,
  // The complete state: `turns`, `castling_white`, `castling_black` and `en_passant`.
  SETWISE_NEEDS_STATE,
} setwise_needs;

// A feature set: which facts a network is told about a position, and the number of each, as white and as black sees the
// board. It is one block of inputs or several, one behind the other. It comes from setwise_feature_set_find(),
// setwise_feature_set_at() or setwise_feature_set_new().
typedef struct setwise_feature_set setwise_feature_set;

// A choice of instructions. Every function that takes a kernel also takes NULL, which means the fastest that this
// processor can run. Kernels are never freed.
typedef struct setwise_kernel setwise_kernel;

// A position: a set of squares for each role (of both colours) and for each colour (of all roles). Squares are
// numbered 0 to 63, a1 = 0, h1 = 7, a8 = 56, and a set has one bit for each. White and black pieces block. A position
// may have any number of kings, including none.
//
// Reading is fastest if it is aligned to 64 bytes, but it need not be.
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

// Other codes of pieces than those of setwise_pieces_from_mailbox(), as an engine has them in its own mailbox: for each byte
// from 0 to 15 the code of what it stands for. setwise_code_map_init() makes one, setwise_mailbox_codes() uses it.
typedef struct setwise_code_map {
  uint8_t codes[16];
} setwise_code_map;

// The contents of a line of FEN.
typedef struct setwise_fen {
  struct setwise_pieces pieces;
  // Half-moves since the last capture or pawn move; 0 if the line does not have it.
  uint32_t halfmove_clock;
  // The move number; 1 if the line does not have it.
  uint32_t fullmove_number;
  // SETWISE_WHITE or SETWISE_BLACK; white if the line does not have it.
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
// is attacked if a piece could capture an enemy piece there. Squares of own pieces are included (they are defended).
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

// What the pieces say about a side's king; the enemy is the other side. With several kings every king counts.
typedef struct setwise_king_facts {
  // As setwise_pieces_checkers(), setwise_pieces_pinned() and setwise_pieces_pinners() return them.
  uint64_t checkers;
  uint64_t pinned;
  uint64_t pinners;
  // The enemy's pieces that stand alone between the king and an enemy slider: they give discovered check if they leave
  // the line.
  uint64_t discoverers;
  // As setwise_pieces_king_danger() returns it.
  uint64_t danger;
  // The squares from which an enemy pawn, knight, bishop, rook and queen gives check; none for a king.
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

// What tells one block of threats from another. Roles are numbered from 0 (pawn) to 5 (king). The input of a threat, its
// squares turned so that the side moves up the board and mirrored as `mirror` says, is
//
//     base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
//
// for an attacker `A` of role `a` and a victim `V` of role `v`. `rank` is the number of squares below `to` that `A`
// attacks from `from` on an empty board; `before` the number that it attacks from all squares below `from`; `moves` the
// number from all squares; `base` the sum of `targets * moves` over the pieces before, own pawn to own king, then the
// enemy's.
typedef struct setwise_threat_inputs {
  // How many kinds of victims an attacker of each role has: own ones and as many of the enemy's. Even, 14 at most.
  uint8_t targets[6];
  // The place of a victim's role among those of an attacker's, `map[attacker][victim]`; below 0 if the two have no
  // inputs.
  int8_t map[6][6];
  // For two pieces of a role that attack each other, friends first, then enemies: 1 if only the pair from the higher
  // square to the lower has an input, 0 if both have. 0 for pawns that are friends, which never attack each other.
  uint8_t once[6][2];
  // A SETWISE_MIRROR_...
  uint8_t mirror;
} setwise_threat_inputs;

// What tells one block of pawn pairs from another: two pawns of any colours, each pair once, whose files are not too far
// apart. A pawn's number is
//
//     squares * (0 own, 1 the enemy's) + square - 8 * (first_rank - 1)
//
// where `squares` is the number of squares on the ranks that count, 48 for the ranks 2 to 7. The input of a pair is
// high * (high - 1) / 2 + low by the higher and the lower number.
typedef struct setwise_pawn_pair_inputs {
  // How many files two pawns may be apart: 0 for the same file, 1 for neighbouring files too, up to 7.
  uint8_t files_apart;
  // The first and the last rank of which pawns count, 1 to 8. They add up to 9.
  uint8_t first_rank;
  uint8_t last_rank;
  // A SETWISE_MIRROR_...
  uint8_t mirror;
} setwise_pawn_pair_inputs;

// What tells one block of piece-square inputs from another. The input of a piece is
//
//     square + 64 * planes[0 own, 1 the enemy's][role] + 64 * (number of planes) * buckets[king]
//
// where `king` is the square of the side's own king; both squares are turned and mirrored.
typedef struct setwise_piece_square_inputs {
  // The bucket of each square of the side's king, as the side sees it: all 0 if inputs do not depend on the king.
  uint8_t buckets[64];
  // The plane of each piece, the side's own ones and then the enemy's, 63 at most; below 0 if it has no inputs. There
  // are as many planes as the highest number says.
  int8_t planes[2][6];
  // A SETWISE_MIRROR_...
  uint8_t mirror;
} setwise_piece_square_inputs;

// One family of inputs of a set. Of the three tables only that of the kind is read; the others may be anything.
typedef struct setwise_feature_block {
  // By what a network's file knows the block, or 0.
  uint32_t hash;
  // How many inputs of the block a padded row has space for; see setwise_feature_set_row_width().
  uint16_t width;
  // A SETWISE_BLOCK_...
  uint8_t kind;
  // The table of the kind.
  struct setwise_threat_inputs threats;
  struct setwise_pawn_pair_inputs pawn_pairs;
  struct setwise_piece_square_inputs piece_square;
} setwise_feature_block;

// A square and what it holds from now on, as in a mailbox: 0 for nothing, 1 to 6 for white's pawn, knight, bishop, rook,
// queen and king, 9 to 14 for black's.
//
// A piece that moves is two of them: its origin becomes empty, its destination holds it, in place of what it takes.
// Promotion is the same with another piece. En passant is three squares; castling is up to four.
typedef struct setwise_square_change {
  uint8_t square;
  uint8_t piece;
} setwise_square_change;

// A threat that is added or removed: the attacker's square in bits 0 to 7, the victim's in bits 8 to 15, the attacker in
// bits 16 to 23 and the victim in bits 24 to 27 as in a mailbox, and in bit 31 1 if the pair is added.
typedef uint32_t setwise_threat_change;

// How one side's inputs change. Set the first three, the others are answers. Inputs of 32 bits are for sets that have
// more than 65,536.
typedef struct setwise_input_changes_u16 {
  // Buffers for the inputs that are new, and for those that are gone.
  uint16_t *added;
  uint16_t *removed;
  // How many inputs each of them holds.
  size_t capacity;
  // How many are new, and how many are gone.
  size_t added_count;
  size_t removed_count;
  // 1 if the side's king has crossed the middle of the board and the set mirrors, or has gone to another bucket: all
  // inputs of a block become others. Nothing is written to the buffers then; make the side's list anew with setwise_pieces_inputs_u16(). Otherwise 0.
  uint8_t is_anew;
} setwise_input_changes_u16;

// How one side's inputs change. Set the first three, the others are answers. Inputs of 32 bits are for sets that have
// more than 65,536.
typedef struct setwise_input_changes_u32 {
  // Buffers for the inputs that are new, and for those that are gone.
  uint32_t *added;
  uint32_t *removed;
  // How many inputs each of them holds.
  size_t capacity;
  // How many are new, and how many are gone.
  size_t added_count;
  size_t removed_count;
  // 1 if the side's king has crossed the middle of the board and the set mirrors, or has gone to another bucket: all
  // inputs of a block become others. Nothing is written to the buffers then; make the side's list anew with setwise_pieces_inputs_u16(). Otherwise 0.
  uint8_t is_anew;
} setwise_input_changes_u32;

// What legal moves depend on besides the pieces. The fields are those of setwise_fen.
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

// Many positions, as rows or columns. Set unused fields to zero.
typedef struct setwise_positions {
  // The number of positions.
  size_t count;
  // `count` positions, or NULL if they are in columns. Rows that are aligned to 64 bytes are read in place; others
  // are copied in parts.
  const struct setwise_pieces *rows;
  // `count` sets in each column, in the order of setwise_pieces: pawns, knights, bishops, rooks, queens, kings,
  // white, black. Ignored if there are rows.
  const uint64_t *columns[8];
  // `count` sides to move, or NULL. setwise_column_needs() tells which columns need them.
  const uint8_t *turns;
  // `count` sets of the files of white's castling rooks, a = bit 0 to h = bit 7, or NULL.
  const uint8_t *castling_white;
  // The same for black.
  const uint8_t *castling_black;
  // `count` squares behind a pawn that has just made a double step, or SETWISE_NO_SQUARE for none; or NULL.
  const uint8_t *en_passant;
} setwise_positions;

// A column and the buffer for its values. Set unused fields to zero.
typedef struct setwise_buffer {
  // The column's number, from setwise_column_find() or setwise_column_select().
  int32_t column;
  // The values, each of setwise_column_value_bytes(). There is one for each position; for a SETWISE_SHAPE_ARRAY
  // there are setwise_column_length() for each; for a SETWISE_SHAPE_LIST all lists follow one another.
  void *values;
  // The size of `values` in bytes: exactly what the positions need, or for lists, the space available.
  size_t bytes;
  // For lists, `count + 1` offsets: where each list begins in `values` and where the last one ends, counted in
  // values. List `i` goes from `offsets[i]` up to, but not including, `offsets[i + 1]`.
  size_t *offsets;
  // For each position, 1 if it has a value, or 0 if not (zeros, an empty list). May be NULL.
  uint8_t *validity;
  // For columns that need one, a feature set; see setwise_feature_set_find().
  const struct setwise_feature_set *feature_set;
} setwise_buffer;

// Room for successors, and how much of it is used.
typedef struct setwise_successors {
  // How many successors there is room for.
  size_t capacity;
  // `capacity` positions.
  struct setwise_pieces *pieces;
  // `capacity` states.
  struct setwise_state *states;
  // `capacity` moves, as setwise_pieces_legal_moves() writes them.
  uint16_t *moves;
  // One more offset than there are positions: the successors of position `i` go from `offsets[i]` up to, but not
  // including, `offsets[i + 1]`.
  size_t *offsets;
  // Set by the call: how many positions have all their successors here. Those of the next one did not fit.
  size_t parents;
  // Set by the call: how many successors there are.
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

// The kernel with this name, such as "avx2" or "avx512-gfni". NULL if there is none or if this processor cannot run
// it; setwise_error_message() then lists those that it can run.
SETWISE_API const struct setwise_kernel *setwise_kernel_find(const char *name);

// A kernel of this processor by its index, from the simplest to the fastest; NULL after the last.
SETWISE_API const struct setwise_kernel *setwise_kernel_at(size_t index);

// The name of a kernel.
SETWISE_API const char *setwise_kernel_name(const struct setwise_kernel *kernel);

/* ---- Positions: from bitboards, a mailbox, FEN ---- */

// Makes a position from twelve sets: six for white (pawns, knights, bishops, rooks, queens, kings) and six for black.
SETWISE_API
enum setwise_status setwise_pieces_from_bitboards(const uint64_t *white,
                                                  const uint64_t *black,
                                                  struct setwise_pieces *pieces);

// Makes a position from the pieces on the 64 squares from a1 to h8: 0 for none, 1 to 6 for white's pawn, knight,
// bishop, rook, queen and king, 9 to 14 for black's. Any other value gives SETWISE_STATUS_PIECE.
SETWISE_API enum setwise_status setwise_pieces_from_mailbox(const uint8_t *mailbox, struct setwise_pieces *pieces);

// The piece on each of the 64 squares, as setwise_pieces_from_mailbox() takes them; 7 where a square has a colour and no
// role, which blocks.
SETWISE_API
enum setwise_status setwise_pieces_to_mailbox(const struct setwise_pieces *pieces,
                                              uint8_t *mailbox);

// Makes a map from the bytes, 0 to 15, that stand for white's pawn, knight, bishop, rook, queen and king, and then those for
// black's: twelve different ones. Every other byte stands for an empty square.
SETWISE_API
enum setwise_status setwise_code_map_init(const uint8_t *own,
                                          struct setwise_code_map *map);

// The codes of the 64 squares of a mailbox with other codes, as setwise_mailbox_threat_changes() and others take them. A byte
// above 15 stands for some piece or none.
SETWISE_API
enum setwise_status setwise_mailbox_codes(const struct setwise_kernel *kernel,
                                          const struct setwise_code_map *map,
                                          const uint8_t *mailbox,
                                          uint8_t *codes);

// Parses FEN or EPD, including Shredder-FEN; fields may be missing at the end. No rule of the game is checked.
// `length` is in bytes; a line end may follow.
//
// If the text is not FEN, the status is SETWISE_STATUS_FEN. setwise_error_message() then says what was expected and
// what was found, and `*error_column` is the column of the first wrong character, counted from 1. After success it is
// 0. `error_column` may be NULL.
SETWISE_API
enum setwise_status setwise_fen_parse(const char *text,
                                      size_t length,
                                      struct setwise_fen *fen,
                                      size_t *error_column);

/* ---- An evaluation: what sets of sliders and whole sides attack ---- */

// The squares that orthogonal sliders (rooks, queens) and diagonal sliders (bishops, queens) attack together: the
// union of all rays. Queens are in both sets. Sliders of a set always block each other, whether or not `occupied`
// contains them, but a bishop blocks a rook only if `occupied` contains the bishop.
SETWISE_API
uint64_t setwise_sliders_attacks(const struct setwise_kernel *kernel,
                                 uint64_t orthogonal,
                                 uint64_t diagonal,
                                 uint64_t occupied);

// The squares that sliders attack along ranks and files.
SETWISE_API
uint64_t setwise_sliders_orthogonal_attacks(const struct setwise_kernel *kernel,
                                            uint64_t sliders,
                                            uint64_t occupied);

// The squares that sliders attack along diagonals.
SETWISE_API
uint64_t setwise_sliders_diagonal_attacks(const struct setwise_kernel *kernel,
                                          uint64_t sliders,
                                          uint64_t occupied);

// The rays of setwise_sliders_attacks(), one for each direction.
SETWISE_API
struct setwise_rays setwise_sliders_rays(const struct setwise_kernel *kernel,
                                         uint64_t orthogonal,
                                         uint64_t diagonal,
                                         uint64_t occupied);

// The squares that each side's sliders attack, by role: eight sets for much less than the cost of eight calls.
SETWISE_API
struct setwise_slider_maps setwise_pieces_slider_attacks(const struct setwise_kernel *kernel,
                                                         const struct setwise_pieces *pieces);

// The attack maps of both sides. All pieces block.
SETWISE_API
struct setwise_both_maps setwise_pieces_attacks(const struct setwise_kernel *kernel,
                                                const struct setwise_pieces *pieces);

// The attack maps of one side with the caller's choice of blockers; its own sliders always block too. With the enemy
// king removed from `occupied`, `all` contains the squares that this king may not move to, and the same call returns
// the other maps for the evaluation.
SETWISE_API
struct setwise_maps setwise_pieces_attacks_by(const struct setwise_kernel *kernel,
                                              const struct setwise_pieces *pieces,
                                              uint8_t colour,
                                              uint64_t occupied);

// The pieces of a colour that attack a square of a set, given the blockers.
SETWISE_API
uint64_t setwise_pieces_attackers(const struct setwise_kernel *kernel,
                                  const struct setwise_pieces *pieces,
                                  uint8_t colour,
                                  uint64_t targets,
                                  uint64_t occupied);

// The pieces of both colours that attack a square of a set, given the blockers: one call in place of two of
// setwise_pieces_attackers().
SETWISE_API
uint64_t setwise_pieces_all_attackers(const struct setwise_kernel *kernel,
                                      const struct setwise_pieces *pieces,
                                      uint64_t targets,
                                      uint64_t occupied);

/* ---- A node: checks, pins and danger of a side's king ---- */

// The pieces that give check to a colour.
SETWISE_API
uint64_t setwise_pieces_checkers(const struct setwise_kernel *kernel,
                                 const struct setwise_pieces *pieces,
                                 uint8_t colour);

// The pieces of a colour that are pinned to their king. They may still move along setwise_squares_ray_pass(king, square).
SETWISE_API
uint64_t setwise_pieces_pinned(const struct setwise_kernel *kernel,
                               const struct setwise_pieces *pieces,
                               uint8_t colour);

// The enemy sliders that pin a piece of a colour to its king.
SETWISE_API
uint64_t setwise_pieces_pinners(const struct setwise_kernel *kernel,
                                const struct setwise_pieces *pieces,
                                uint8_t colour);

// The squares where a king of the colour would be in check: those that the enemy attacks with that king off the board.
SETWISE_API
uint64_t setwise_pieces_king_danger(const struct setwise_kernel *kernel,
                                    const struct setwise_pieces *pieces,
                                    uint8_t colour);

// All facts about a side's king in one call, which takes about half the time of the separate ones.
SETWISE_API
struct setwise_king_facts setwise_pieces_king_facts(const struct setwise_kernel *kernel,
                                                    const struct setwise_pieces *pieces,
                                                    uint8_t colour);

// The same for both sides.
SETWISE_API
struct setwise_both_king_facts setwise_pieces_both_king_facts(const struct setwise_kernel *kernel,
                                                              const struct setwise_pieces *pieces);

/* ---- One slider, lines and leapers ---- */

// The squares that a rook on a square attacks; empty if the square is above 63, also in the next four functions.
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

// The squares that lie beyond `b`, seen from `a`; empty as above.
SETWISE_API uint64_t setwise_squares_beyond(uint8_t a, uint8_t b);

// The squares that a colour's pawns attack.
SETWISE_API uint64_t setwise_pawns_attacks(uint8_t colour, uint64_t pawns);

// The squares that knights attack.
SETWISE_API uint64_t setwise_knights_attacks(uint64_t knights);

// The squares that kings attack.
SETWISE_API uint64_t setwise_kings_attacks(uint64_t kings);

/* ---- A network: threats and feature sets ---- */

// Writes the first `capacity` threats of both sides, in an order that is the same for every kernel, and returns the
// number of all threats. SETWISE_MAX_THREATS are enough for any position. For many positions use the column `threats`,
// which has each threat as from + 256 * to.
SETWISE_API
size_t setwise_pieces_threats(const struct setwise_kernel *kernel,
                              const struct setwise_pieces *pieces,
                              struct setwise_threat *threats,
                              size_t capacity);

// The set of this name, as in "nnue-pytorch-2026-07", or of several names joined by `+`, as in
// "stockfish-threats-2026-08+halfka-hm"; NULL if there is none, and setwise_error_message() lists those that there are.
// It is never freed.
SETWISE_API const struct setwise_feature_set *setwise_feature_set_find(const char *name);

// The sets that have names one by one; NULL after the last.
SETWISE_API const struct setwise_feature_set *setwise_feature_set_at(size_t index);

// Makes a set of `count` blocks, one behind the other. Give it back with setwise_feature_set_free(). A name that is NULL
// stands for "custom".
//
// If a table is wrong, if there are more than SETWISE_MAX_FEATURE_BLOCKS or none, if a block occurs twice, or if the
// name is longer than 127 bytes, the status is SETWISE_STATUS_FEATURE_SET.
SETWISE_API
enum setwise_status setwise_feature_set_new(const char *name,
                                            const struct setwise_feature_block *blocks,
                                            size_t count,
                                            struct setwise_feature_set **set);

// Gives a set back that setwise_feature_set_new() has made. NULL and sets that were found by name are left alone.
SETWISE_API void setwise_feature_set_free(struct setwise_feature_set *set);

// A set's name; NULL for NULL.
SETWISE_API const char *setwise_feature_set_name(const struct setwise_feature_set *set);

// How many inputs a set has, all of them below that number; 0 for NULL.
SETWISE_API uint32_t setwise_feature_set_inputs(const struct setwise_feature_set *set);

// A buffer of that many inputs suffices for one side's of any position; 0 for NULL.
SETWISE_API size_t setwise_feature_set_max_inputs(const struct setwise_feature_set *set);

// A buffer of that many inputs suffices for those that so many changed squares add to one side's, or remove from them; 0
// for NULL.
SETWISE_API
size_t setwise_feature_set_max_changes(const struct setwise_feature_set *set,
                                       size_t squares);

// How wide padded rows of a set are in trainers: the sum of its blocks' `width`. Few positions of play have more inputs.
// 0 for NULL.
SETWISE_API
size_t setwise_feature_set_row_width(const struct setwise_feature_set *set);

// How many blocks a set has; 0 for NULL.
SETWISE_API size_t setwise_feature_set_block_count(const struct setwise_feature_set *set);

// A block that a set was made of, and its first input. If there are not so many blocks, the status is
// SETWISE_STATUS_FEATURE_SET.
SETWISE_API
enum setwise_status setwise_feature_set_block(const struct setwise_feature_set *set,
                                              size_t index,
                                              struct setwise_feature_block *block,
                                              uint32_t *first);

// Whether a side's inputs keep their numbers when its king goes from one square to another: 1, or 0 if those of a block
// become others. 0 too if a square is above 63 or the set is NULL.
SETWISE_API
int32_t setwise_feature_set_is_same_view(const struct setwise_feature_set *set,
                                         uint8_t colour,
                                         uint8_t from,
                                         uint8_t to);

/* ---- A network: what a move changes ---- */

// What a move, or any other change of squares, adds to the threats of a position and removes from them. It replaces the
// loops of an engine that puts, removes or moves a piece: over what the piece attacks, over what attacks it, and over the
// sliders that see across its square.
//
// `mailbox` is the position before, the piece on each of the 64 squares as in setwise_pieces_from_mailbox(); records are
// unspecified if it holds anything else. `changes` are the squares that change, in any order, each once. Threats are left
// out that `set` has no input for, whatever their squares; NULL keeps all. A threat that is both added and removed by the
// same call is not recorded.
//
// Writes the records to the front of `records`, and their number to `*count`. SETWISE_MAX_MOVE_CHANGES records suffice
// for a move; the rest of the buffer is unspecified after the call. A buffer of fewer will do if the records fit, but
// takes longer. If they do not, the status is SETWISE_STATUS_CAPACITY and nothing is written. If a square is
// above 63 or named twice, or a piece above 15, the status is SETWISE_STATUS_SQUARE.
SETWISE_API
enum setwise_status setwise_mailbox_threat_changes(const struct setwise_kernel *kernel,
                                                   const uint8_t *mailbox,
                                                   const struct setwise_square_change *changes,
                                                   size_t change_count,
                                                   const struct setwise_feature_set *set,
                                                   setwise_threat_change *records,
                                                   size_t capacity,
                                                   size_t *count);

// What a move, or any other change of squares, changes of the inputs of both sides, in all blocks of the set: for threats
// setwise_mailbox_threat_changes() and its records as inputs, and the pairs of pawns and pieces on squares that come and
// go, in one call. `sides` are two, white's and black's. It replaces the loops that setwise_mailbox_threat_changes()
// replaces, and the loop over their records for each side.
//
// If a side has not exactly one king before and after, the status is SETWISE_STATUS_KINGS; if the set has more than
// 65,536 inputs, SETWISE_STATUS_FEATURE_SET; if a buffer is too small, SETWISE_STATUS_CAPACITY
// (setwise_feature_set_max_changes() inputs suffice). Nothing is written then.
SETWISE_API
enum setwise_status setwise_mailbox_input_changes_u16(const struct setwise_kernel *kernel,
                                                      const uint8_t *mailbox,
                                                      const struct setwise_square_change *changes,
                                                      size_t change_count,
                                                      const struct setwise_feature_set *set,
                                                      struct setwise_input_changes_u16 *sides);

// The same with inputs of 32 bits.
SETWISE_API
enum setwise_status setwise_mailbox_input_changes_u32(const struct setwise_kernel *kernel,
                                                      const uint8_t *mailbox,
                                                      const struct setwise_square_change *changes,
                                                      size_t change_count,
                                                      const struct setwise_feature_set *set,
                                                      struct setwise_input_changes_u32 *sides);

// The inputs of records, as a side sees them whose king stands on `king`: those that are added, and those that are
// removed. They are inputs of the set's block of threats; those of other blocks do not follow from records, but from
// setwise_mailbox_input_changes_u16(). It replaces the loop over the records of a move, at the time when the side's accumulator is needed. The
// king must be the same view before and after the moves: setwise_feature_set_is_same_view().
//
// If the set has more than 65,536 inputs, the status is SETWISE_STATUS_FEATURE_SET; if a buffer is too small,
// SETWISE_STATUS_CAPACITY (as many inputs as there are records suffice). Nothing is written then.
SETWISE_API
enum setwise_status setwise_feature_set_input_changes_u16(const struct setwise_feature_set *set,
                                                          uint8_t colour,
                                                          uint8_t king,
                                                          const setwise_threat_change *records,
                                                          size_t record_count,
                                                          struct setwise_input_changes_u16 *side);

// The same with inputs of 32 bits.
SETWISE_API
enum setwise_status setwise_feature_set_input_changes_u32(const struct setwise_feature_set *set,
                                                          uint8_t colour,
                                                          uint8_t king,
                                                          const setwise_threat_change *records,
                                                          size_t record_count,
                                                          struct setwise_input_changes_u32 *side);

// The inputs that a set has for a position, as white and as black sees them, block by block: threats in their order, pawn
// pairs file by file, pieces by their squares. Writes them to the fronts of two buffers of `capacity` inputs, and their
// numbers to `counts`, white's and black's. setwise_feature_set_max_inputs() suffice for any position; the rest of a buffer
// is unspecified after the call. It replaces the loop over all pieces and what they attack, where a list is made anew.
//
// If a side has not exactly one king, the status is SETWISE_STATUS_KINGS; if the set has more than 65,536 inputs,
// SETWISE_STATUS_FEATURE_SET; if a buffer is too small, SETWISE_STATUS_CAPACITY. Nothing is written then. The columns
// `white_features` and `black_features` are the same for many positions.
SETWISE_API
enum setwise_status setwise_pieces_inputs_u16(const struct setwise_kernel *kernel,
                                              const struct setwise_pieces *pieces,
                                              const struct setwise_feature_set *set,
                                              uint16_t *white,
                                              uint16_t *black,
                                              size_t capacity,
                                              size_t *counts);

// The same with inputs of 32 bits.
SETWISE_API
enum setwise_status setwise_pieces_inputs_u32(const struct setwise_kernel *kernel,
                                              const struct setwise_pieces *pieces,
                                              const struct setwise_feature_set *set,
                                              uint32_t *white,
                                              uint32_t *black,
                                              size_t capacity,
                                              size_t *counts);

/* ---- Legal moves and exchanges ---- */

// The squares that each piece of the side to move can legally go to, by its square: `targets` has 64 sets, a1 to h8.
// Castling is the king going two squares where it stands on the e-file and the rook in a corner, else (Chess960) to its
// rook's square. Returns 1; or 0, with empty sets, if the position is invalid: if a side has not exactly one king, the
// side not to move is in check, or a square has two pieces.
SETWISE_API
int32_t setwise_pieces_legal_targets(const struct setwise_kernel *kernel,
                                     const struct setwise_pieces *pieces,
                                     struct setwise_state state,
                                     uint64_t *targets);

// The legal moves by origin, then destination, then promotion to a knight, a bishop, a rook and a queen: how many there
// are, of which the first `capacity` are written; -1 if the position is invalid. SETWISE_MAX_LEGAL_MOVES are enough. The
// column `legal_moves` has the same for many positions: destination + 64 * origin + 4096 * role + 16384 * special, where
// `special` is 1 for a promotion, to the `role` 0 knight, 1 bishop, 2 rook or 3 queen; 2 for en passant, 3 for castling.
SETWISE_API
int32_t setwise_pieces_legal_moves(const struct setwise_kernel *kernel,
                                   const struct setwise_pieces *pieces,
                                   struct setwise_state state,
                                   uint16_t *moves,
                                   size_t capacity);

// The legal moves of a node whose king's facts are known, from setwise_pieces_king_facts() for the side to move: only
// those from `origins` to `destinations`, of the kind that a SETWISE_MOVES_... says. Order, bits, `capacity` and the
// result are as in setwise_pieces_legal_moves(), but nothing is validated: for an invalid position the result is some
// number of moves.
SETWISE_API
int32_t setwise_king_facts_legal_moves(const struct setwise_king_facts *facts,
                                       const struct setwise_pieces *pieces,
                                       struct setwise_state state,
                                       uint8_t kind,
                                       uint64_t origins,
                                       uint64_t destinations,
                                       uint16_t *moves,
                                       size_t capacity);

// The position after a legal move, in the bits of setwise_pieces_legal_moves(): its pieces to `after`, and the state is
// returned. `after` may be `pieces`, or null. The en passant square is the one behind every double step. A move that is
// not legal gives some position; bits that are no move give the position itself.
SETWISE_API
struct setwise_state setwise_pieces_play(const struct setwise_kernel *kernel,
                                         const struct setwise_pieces *pieces,
                                         struct setwise_state state,
                                         uint16_t played,
                                         struct setwise_pieces *after);

// Static exchange evaluation: 1 if the side that makes a move (in the bits of setwise_pieces_legal_moves()) wins at least
// `threshold` if both sides then go on capturing on its destination for as long as that pays, else 0. `values` are those of
// a pawn, knight, bishop, rook, queen and king. Each side takes with its least valuable piece in this order; sliders behind
// others join in; pins are ignored. Castling, a move from an empty square and bits that are no move win 0.
SETWISE_API
int32_t setwise_pieces_see(const struct setwise_pieces *pieces,
                           uint16_t played,
                           const int32_t *values,
                           int32_t threshold);

// How many legal moves there are, a promotion counted four times; -1 if the position is invalid.
SETWISE_API
int32_t setwise_pieces_legal_count(const struct setwise_kernel *kernel,
                                   const struct setwise_pieces *pieces,
                                   struct setwise_state state);

// 1 if the side to move is in check, 2 if it is checkmate, 3 if it is stalemate, 0 if none of them; -1 if the position is
// invalid. The column `status` has the same for many positions.
SETWISE_API
int32_t setwise_pieces_legal_status(const struct setwise_kernel *kernel,
                                    const struct setwise_pieces *pieces,
                                    struct setwise_state state);

/* ---- Many positions: sliders ---- */

// The squares that the sliders of each row attack: setwise_sliders_attacks() for `count` rows.
SETWISE_API
enum setwise_status setwise_sliders_fill_attacks(const struct setwise_kernel *kernel,
                                                 size_t count,
                                                 const uint64_t *orthogonal,
                                                 const uint64_t *diagonal,
                                                 const uint64_t *occupied,
                                                 uint64_t *attacks);

// The rays of the sliders of each row, in eight buffers of `count` sets, one for each direction in the order of
// setwise_rays: north, south, east, west, north-east, north-west, south-east, south-west.
SETWISE_API
enum setwise_status setwise_sliders_fill_rays(const struct setwise_kernel *kernel,
                                              size_t count,
                                              const uint64_t *orthogonal,
                                              const uint64_t *diagonal,
                                              const uint64_t *occupied,
                                              uint64_t *const *rays);

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
// An unknown name gives SETWISE_STATUS_COLUMN, and setwise_error_message() suggests the nearest name. If there are
// more than `capacity` columns, the status is SETWISE_STATUS_CAPACITY.
SETWISE_API
enum setwise_status setwise_column_select(const char *names,
                                          int32_t *columns,
                                          size_t capacity,
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

// How many values a column has for each position: 1, or the length of a SETWISE_SHAPE_ARRAY; 0 for lists, and if there
// is no such column.
SETWISE_API size_t setwise_column_length(int32_t column);

// What a column needs to know about each position.
SETWISE_API enum setwise_needs setwise_column_needs(int32_t column);

// Whether some positions have no value in a column: 1 or 0. `validity` of setwise_buffer tells which do.
SETWISE_API int32_t setwise_column_is_nullable(int32_t column);

// Whether a column needs a feature set: 1 or 0. `feature_set` of setwise_buffer is that set.
SETWISE_API int32_t setwise_column_needs_feature_set(int32_t column);

// Fills `buffer_count` columns for many positions. Work that no column needs is skipped, so request all columns in one
// call. Nothing is written unless all arguments are valid.
//
// If a buffer is too small for its lists, the status is SETWISE_STATUS_CAPACITY. Everything else is filled, including
// the `offsets`; the last offset is the number of values needed.
SETWISE_API
enum setwise_status setwise_positions_fill(const struct setwise_kernel *kernel,
                                           const struct setwise_positions *positions,
                                           const struct setwise_buffer *buffers,
                                           size_t buffer_count);

// The positions after all legal moves, in the order of setwise_pieces_legal_moves(). It stops at the first position whose
// successors do not fit, and says so by `parents`; the status is SETWISE_STATUS_OK all the same. The positions need turns,
// castling rights and en passant squares. Invalid positions have no successors; the column `legal_count` tells them apart.
SETWISE_API
enum setwise_status setwise_positions_successors(const struct setwise_kernel *kernel,
                                                 const struct setwise_positions *positions,
                                                 struct setwise_successors *successors);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SETWISE_H */
