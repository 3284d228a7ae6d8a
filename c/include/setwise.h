/* setwise: which squares does a whole set of chess pieces attack?
 *
 * One position at a time, or many with a buffer for each question, by the fastest instructions of the processor that
 * the program runs on. A board is a uint64_t: a1 is bit 0, h1 is bit 7, a8 is bit 56. Colours are 0 (white) and
 * 1 (black).
 *
 *     setwise_both_maps maps = setwise_pieces_attacks(NULL, &pieces);
 *     if (maps.black.all & pieces.kings & pieces.white) puts("check");
 *
 * What every function expects of a pointer, unless its comment says otherwise: it is not NULL, is aligned to its type,
 * and points to as many values as the comment or the count says. A kernel is NULL or comes from this library; a name
 * is ended by a zero. Functions that give a status check pointers for NULL, alignment and overlap, and sizes against
 * counts, before they write anything. Functions without a status cannot fail; a position that is NULL is empty to
 * them. Everything may be called from several threads at a time.
 *
 * Link with -lsetwise, and a static library with -lpthread -ldl -lm besides (pkg-config --static says it). The comments
 * and declarations are written from the library's source: change them there.
 */

#ifndef SETWISE_H
#define SETWISE_H

#include <stddef.h>
#include <stdint.h>

/* The version that this header is of; setwise_version_number() says that of the library in use. */
#define SETWISE_VERSION_MAJOR 0
#define SETWISE_VERSION_MINOR 1
#define SETWISE_VERSION_PATCH 0
/* The three in one number: 1.2.3 is 1002003. */
#define SETWISE_VERSION \
    (SETWISE_VERSION_MAJOR * 1000000 + SETWISE_VERSION_MINOR * 1000 + SETWISE_VERSION_PATCH)

/* Stands before every function. Define it to change how they are linked: with the shared library on Windows, as
 * __declspec(dllimport). */
#ifndef SETWISE_API
#define SETWISE_API
#endif

// White, where a function asks for a colour.
#define SETWISE_WHITE 0

// Black. So is every other value than SETWISE_WHITE.
#define SETWISE_BLACK 1

// In place of a square where there is none.
#define SETWISE_NO_SQUARE 64

// No position has more threats than this.
#define SETWISE_MAX_THREATS 420

// No chess position has more legal moves than 218. Where any number of pieces stands anywhere, this is enough.
#define SETWISE_MAX_LEGAL_MOVES 512

// What a call came to. After anything but SETWISE_STATUS_OK, setwise_error_message() says what was wrong, and nothing was
// written but what the function's own comment names.
typedef enum setwise_status {
  // Done.
  SETWISE_STATUS_OK = 0,
  // A required pointer is null.
  SETWISE_STATUS_NULL,
  // A pointer is not aligned to its type.
  SETWISE_STATUS_UNALIGNED,
  // A buffer has another size than its column needs, or there are more rows than memory can hold.
  SETWISE_STATUS_SIZE,
  // Two buffers overlap, or a buffer and an input.
  SETWISE_STATUS_OVERLAP,
  // No column has this name or number, or a column is requested twice.
  SETWISE_STATUS_COLUMN,
  // A column needs a state (turns, castling rights, en passant squares) that is not there.
  SETWISE_STATUS_STATE,
  // A column needs a set of inputs, and no set has this name.
  SETWISE_STATUS_FEATURE_SET,
  // A buffer is too small for the lists that go into it.
  SETWISE_STATUS_CAPACITY,
  // A square of the mailbox holds an unknown piece.
  SETWISE_STATUS_PIECE,
  // The text is not FEN.
  SETWISE_STATUS_FEN,
  // A fault in the library: please report it. Buffers may have been written.
  SETWISE_STATUS_INTERNAL,
} setwise_status;

// How many values a column has for each position.
typedef enum setwise_shape {
  // There is no such column.
  SETWISE_SHAPE_NONE = 0,
  // One.
  SETWISE_SHAPE_VALUE,
  // As many as the position needs: all lists one after another, and offsets.
  SETWISE_SHAPE_LIST,
  // The same number for all positions; the values of a position lie one after another.
  SETWISE_SHAPE_ARRAY,
} setwise_shape;

// What a column needs to know of each position.
typedef enum setwise_needs {
  // The pieces.
  SETWISE_NEEDS_PIECES = 0,
  // The side to move too: `turns` of setwise_positions.
  SETWISE_NEEDS_TURN,
  // All of the state: `turns`, `castling_white`, `castling_black` and `en_passant`.
  SETWISE_NEEDS_STATE,
} setwise_needs;

// A choice of instructions, made once. Wherever a function takes one, NULL means the fastest that this processor
// can run. Kernels are never freed.
typedef struct setwise_kernel setwise_kernel;

// A position: a set of squares for each role (of both colours) and for each colour (of all roles). A square is 0 to
// 63, a1 = 0, h1 = 7, a8 = 56, and a set is a bit for each. Pieces of white or black block. A position may have any
// number of kings, or none.
//
// It is read fastest where it is aligned to 64 bytes; it need not be.
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

// What a line of FEN says.
typedef struct setwise_fen {
  struct setwise_pieces pieces;
  // Half-moves since the last capture or pawn move; 0 if the line does not say.
  uint32_t halfmove_clock;
  // The number of the move; 1 if the line does not say.
  uint32_t fullmove_number;
  // SETWISE_WHITE or SETWISE_BLACK; white if the line does not say.
  uint8_t turn;
  // The files of white's castling rooks, a = bit 0 to h = bit 7. Files serve Chess960 too.
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

// What each side's rooks, bishops and queens attack, with the two ways of queens apart.
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

// What one side attacks: the squares on which it could capture an enemy, by role, all together, and those that at
// least two pieces attack. Squares of own pieces are included (they are defended); pins are ignored.
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

// What both sides attack.
typedef struct setwise_both_maps {
  struct setwise_maps white;
  struct setwise_maps black;
} setwise_both_maps;

// A threat: a piece on `from` attacks the occupied square `to`, of either colour (an own piece there is defended).
typedef struct setwise_threat {
  uint8_t from;
  uint8_t to;
} setwise_threat;

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

// Many positions: rows, or columns. Set what is not used to zero.
typedef struct setwise_positions {
  // How many.
  size_t count;
  // `count` positions, or NULL if they lie in columns. Rows that are aligned to 64 bytes are read as they lie;
  // others are copied, some hundreds at a time.
  const struct setwise_pieces *rows;
  // `count` sets in each column, in the order of setwise_pieces: pawns, knights, bishops, rooks, queens, kings,
  // white, black. Not read if there are rows.
  const uint64_t *columns[8];
  // `count` colours to move, or NULL. Columns need them that setwise_column_needs() says.
  const uint8_t *turns;
  // `count` sets of the files of white's castling rooks, a = bit 0 to h = bit 7, or NULL.
  const uint8_t *castling_white;
  // The same for black.
  const uint8_t *castling_black;
  // `count` squares behind a pawn that has just made a double step, or SETWISE_NO_SQUARE; or NULL.
  const uint8_t *en_passant;
} setwise_positions;

// A column, and where it goes. Set what is not used to zero.
typedef struct setwise_buffer {
  // The column's number, from setwise_column_find() or setwise_column_select().
  int32_t column;
  // The values, each as large as setwise_column_value_bytes() says: one for each position; of a SETWISE_SHAPE_ARRAY
  // setwise_column_length() for each; of a SETWISE_SHAPE_LIST those of the first position, then of the second.
  void *values;
  // The size of `values` in bytes: exactly what the positions need, or for lists, what there is.
  size_t bytes;
  // For lists: where each begins in `values` and where the last ends, counted in values. `count` of the positions and
  // one more. List `i` goes from `offsets[i]` up to, and not including, `offsets[i + 1]`.
  size_t *offsets;
  // For each position 1, or 0 if it has no answer (zeros, an empty list); or NULL.
  uint8_t *validity;
  // For columns that need one, the name of a set of inputs, as setwise_feature_set_name() lists them.
  const char *feature_set;
} setwise_buffer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library in use as a number, to compare with SETWISE_VERSION, which is that of the header.
SETWISE_API
uint32_t setwise_version_number(void);

// The version of the library in use, as in "0.1.0".
SETWISE_API const char *setwise_version_string(void);

// What was wrong with the last call of this thread that failed, in UTF-8; empty if none has. It stays until the
// next call of the thread that fails.
SETWISE_API
const char *setwise_error_message(void);

// The fastest kernel that this processor can run.
SETWISE_API const struct setwise_kernel *setwise_kernel_detect(void);

// The kernel of this name, as in "avx2" or "avx512-gfni"; NULL if there is none or this processor cannot run it, and
// setwise_error_message() lists those that it can.
SETWISE_API
const struct setwise_kernel *setwise_kernel_find(const char *name);

// The kernels of this processor one by one, from the simplest to the fastest; NULL after the last.
SETWISE_API const struct setwise_kernel *setwise_kernel_at(size_t index);

// A kernel's name.
SETWISE_API const char *setwise_kernel_name(const struct setwise_kernel *kernel);

// A position from twelve sets: six of white (pawns, knights, bishops, rooks, queens, kings) and six of black.
SETWISE_API
enum setwise_status setwise_pieces_from_bitboards(const uint64_t *white,
                                                  const uint64_t *black,
                                                  struct setwise_pieces *pieces);

// A position from the piece on each of the 64 squares from a1 to h8: 0 for none, 1 to 6 for white's pawn, knight, bishop, rook,
// queen and king, 9 to 14 for black's. Anything else is SETWISE_STATUS_PIECE.
SETWISE_API
enum setwise_status setwise_pieces_from_mailbox(const uint8_t *mailbox,
                                                struct setwise_pieces *pieces);

// Reads FEN or EPD, with four to six fields or fewer, Shredder-FEN included. No rule of the game is checked.
// `length` is in bytes; a line end may follow.
//
// If the text is not FEN, the status is SETWISE_STATUS_FEN, setwise_error_message() says what was expected and what stands there, and
// `*error_column` is the column of the first wrong character, counted from 1. After success it is 0.
// `error_column` may be NULL.
SETWISE_API
enum setwise_status setwise_fen_parse(const char *text,
                                      size_t length,
                                      struct setwise_fen *fen,
                                      size_t *error_column);

// What orthogonal sliders (rooks, queens) and diagonal sliders (bishops, queens) attack together: the union of all
// rays. Queens stand in both sets. Sliders of a set stop each other whether `occupied` has them or not, but a bishop
// stops a rook only if `occupied` has it.
SETWISE_API
uint64_t setwise_sliders_attacks(const struct setwise_kernel *kernel,
                                 uint64_t orthogonal,
                                 uint64_t diagonal,
                                 uint64_t occupied);

// What sliders attack along ranks and files.
SETWISE_API
uint64_t setwise_sliders_orthogonal_attacks(const struct setwise_kernel *kernel,
                                            uint64_t sliders,
                                            uint64_t occupied);

// What sliders attack along diagonals.
SETWISE_API
uint64_t setwise_sliders_diagonal_attacks(const struct setwise_kernel *kernel,
                                          uint64_t sliders,
                                          uint64_t occupied);

// The rays of setwise_sliders_attacks, one by one.
SETWISE_API
struct setwise_rays setwise_sliders_rays(const struct setwise_kernel *kernel,
                                         uint64_t orthogonal,
                                         uint64_t diagonal,
                                         uint64_t occupied);

// What each side's sliders attack by role: eight sets for much less than eight calls.
SETWISE_API
struct setwise_slider_maps setwise_pieces_slider_attacks(const struct setwise_kernel *kernel,
                                                         const struct setwise_pieces *pieces);

// What both sides attack. All pieces block.
SETWISE_API
struct setwise_both_maps setwise_pieces_attacks(const struct setwise_kernel *kernel,
                                                const struct setwise_pieces *pieces);

// What one side attacks, with blockers of the caller's choice; its own sliders always block too. With the enemy king
// taken out of `occupied`, `all` is where that king must not go, and the other maps serve the evaluation in the
// same call.
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

// The pieces that give check to a colour.
SETWISE_API
uint64_t setwise_pieces_checkers(const struct setwise_kernel *kernel,
                                 const struct setwise_pieces *pieces,
                                 uint8_t colour);

// The pieces of a colour that are pinned to their king. They may still move along setwise_squares_line(king, square).
SETWISE_API
uint64_t setwise_pieces_pinned(const struct setwise_kernel *kernel,
                               const struct setwise_pieces *pieces,
                               uint8_t colour);

// The squares where a king of the colour would be in check: what the enemy attacks with that king off the board.
SETWISE_API
uint64_t setwise_pieces_king_danger(const struct setwise_kernel *kernel,
                                    const struct setwise_pieces *pieces,
                                    uint8_t colour);

// What a rook on a square attacks; the empty set if the square is above 63, as in the four functions that follow.
SETWISE_API
uint64_t setwise_rook_attacks(uint8_t square,
                              uint64_t occupied);

// What a bishop on a square attacks.
SETWISE_API uint64_t setwise_bishop_attacks(uint8_t square, uint64_t occupied);

// What a queen on a square attacks.
SETWISE_API uint64_t setwise_queen_attacks(uint8_t square, uint64_t occupied);

// The squares strictly between two squares of a line; empty if they are on none.
SETWISE_API uint64_t setwise_squares_between(uint8_t a, uint8_t b);

// The whole line through two squares, from edge to edge; empty if they are on none.
SETWISE_API uint64_t setwise_squares_line(uint8_t a, uint8_t b);

// What a colour's pawns attack.
SETWISE_API uint64_t setwise_pawns_attacks(uint8_t colour, uint64_t pawns);

// What knights attack.
SETWISE_API uint64_t setwise_knights_attacks(uint64_t knights);

// What kings attack.
SETWISE_API uint64_t setwise_kings_attacks(uint64_t kings);

// The threats of both sides, in an order that is the same for every kernel: how many there are, of which the first
// `capacity` are written. SETWISE_MAX_THREATS are enough for any position. The column `threats` has the same for many
// positions, each as from + 256 * to.
SETWISE_API
size_t setwise_pieces_threats(const struct setwise_kernel *kernel,
                              const struct setwise_pieces *pieces,
                              struct setwise_threat *threats,
                              size_t capacity);

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

// The squares that the sliders of each row attack: setwise_sliders_attacks() for `count` rows.
SETWISE_API
enum setwise_status setwise_sliders_fill_attacks(const struct setwise_kernel *kernel,
                                                 size_t count,
                                                 const uint64_t *orthogonal,
                                                 const uint64_t *diagonal,
                                                 const uint64_t *occupied,
                                                 uint64_t *attacks);

// The rays of the sliders of each row, into eight buffers of `count` sets, one for each direction as in setwise_rays:
// north, south, east, west, north-east, north-west, south-east, south-west.
SETWISE_API
enum setwise_status setwise_sliders_fill_rays(const struct setwise_kernel *kernel,
                                              size_t count,
                                              const uint64_t *orthogonal,
                                              const uint64_t *diagonal,
                                              const uint64_t *occupied,
                                              uint64_t *const *rays);

// How many columns there are. They have the numbers from 0 on, which hold for one version of the library: look them up
// when the program starts.
SETWISE_API
int32_t setwise_column_count(void);

// The number of a column by its name, as in "white_all" (`docs/columns.md` lists them); -1 if there is none, and
// setwise_error_message() names the nearest.
SETWISE_API
int32_t setwise_column_find(const char *name);

// The numbers of the columns that names choose, with commas between: names of columns, patterns such as "white_*", and
// presets ("default", "all", "counts", "mobility", "rings"). Writes how many there are, and the first `capacity` of
// them.
//
// A wrong name is SETWISE_STATUS_COLUMN, and setwise_error_message() names the nearest. If there are more than
// `capacity`, the status is SETWISE_STATUS_CAPACITY.
SETWISE_API
enum setwise_status setwise_column_select(const char *names,
                                          int32_t *columns,
                                          size_t capacity,
                                          size_t *count);

// The name of a column; NULL if there is none of this number.
SETWISE_API const char *setwise_column_name(int32_t column);

// What a column says, in English; NULL if there is none of this number.
SETWISE_API const char *setwise_column_meaning(int32_t column);

// The size of one of a column's values: 8 for uint64_t (a set of squares), 4, 2 or 1 for smaller unsigned integers; 0
// if there is no such column.
SETWISE_API
size_t setwise_column_value_bytes(int32_t column);

// How many values a column has for each position, in kind; SETWISE_SHAPE_NONE if there is no such column.
SETWISE_API
enum setwise_shape setwise_column_shape(int32_t column);

// How many values a column has for each position: 1, or the number of a SETWISE_SHAPE_ARRAY; 0 for lists, and if there
// is no such column.
SETWISE_API
size_t setwise_column_length(int32_t column);

// What a column needs to know of each position.
SETWISE_API enum setwise_needs setwise_column_needs(int32_t column);

// Whether some positions have no answer: 1 or 0. `validity` of setwise_buffer says which have.
SETWISE_API int32_t setwise_column_is_nullable(int32_t column);

// Whether a column needs a set of inputs: 1 or 0. `feature_set` of setwise_buffer names it.
SETWISE_API int32_t setwise_column_needs_feature_set(int32_t column);

// The names of the sets of inputs one by one, the newest last; NULL after the last.
SETWISE_API const char *setwise_feature_set_name(size_t index);

// How many inputs a set has, all of them below that number; 0 after the last.
SETWISE_API uint32_t setwise_feature_set_inputs(size_t index);

// Fills any columns for many positions, `buffer_count` of them. Work that no column needs is skipped, so ask for all
// of them in one call. Nothing is written unless everything about the call is right.
//
// If the values of a list have too few bytes, the status is SETWISE_STATUS_CAPACITY: everything else is filled, the
// `offsets` too, and the last of them says how many values are needed.
SETWISE_API
enum setwise_status setwise_positions_fill(const struct setwise_kernel *kernel,
                                           const struct setwise_positions *positions,
                                           const struct setwise_buffer *buffers,
                                           size_t buffer_count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SETWISE_H */
