/* setwise: which squares does a whole set of chess pieces attack?
 *
 * One position at a time, or many with a buffer for each question, by the fastest instructions of the processor that
 * the program runs on. A board is a uint64_t: a1 is bit 0, h1 is bit 7, a8 is bit 56. Colours are 0 (white) and
 * 1 (black).
 *
 *     setwise_both_maps maps = setwise_attacks(NULL, &pieces);
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

// White, where a function asks for a colour.
#define SETWISE_WHITE 0

// Black. So is every other value than SETWISE_WHITE.
#define SETWISE_BLACK 1

// No position has more threats than this.
#define SETWISE_MOST_THREATS 420

// What a call came to. After anything but SETWISE_OK, setwise_error() says what was wrong, and nothing was written
// but what the function's own comment names.
typedef enum setwise_status {
  // Done.
  SETWISE_OK = 0,
  // A pointer is null that must not be.
  SETWISE_NULL,
  // A pointer is not aligned to its type.
  SETWISE_UNALIGNED,
  // A buffer has another size than its column needs, or there are more rows than memory can hold.
  SETWISE_SIZE,
  // Two buffers overlap, or a buffer and an input.
  SETWISE_OVERLAP,
  // No column has this name or number, or a column is asked for twice.
  SETWISE_COLUMN,
  // A column about the side to move is asked for, but no turns are given.
  SETWISE_TURNS,
  // A square of the mailbox holds no piece that there is.
  SETWISE_PIECE,
  // The text is no FEN.
  SETWISE_FEN,
  // A fault in the library: please report it. Buffers may have been written.
  SETWISE_INTERNAL,
} setwise_status;

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
  // The square behind the pawn that has just made a double step, or 64.
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

// Many positions: rows, or columns. Set what is not used to zero.
typedef struct setwise_positions {
  // How many.
  size_t count;
  // `count` positions, or NULL if they lie in columns. Rows that are aligned to 64 bytes are read as they lie,
  // others are copied, some hundreds at a time.
  const struct setwise_pieces *rows;
  // `count` sets in each column, in the order of setwise_pieces: pawns, knights, bishops, rooks, queens, kings,
  // white, black. Not looked at if there are rows.
  const uint64_t *columns[8];
  // `count` colours to move, or NULL. Only the columns `checkers` and `pinned` need them.
  const uint8_t *turns;
} setwise_positions;

// Where a column goes.
typedef struct setwise_buffer {
  // The column's number, from setwise_column().
  int32_t column;
  // A value for each position: uint64_t or uint16_t, as setwise_column_bytes() says.
  void *values;
  // The size of `values` in bytes: the number of positions times setwise_column_bytes().
  size_t bytes;
} setwise_buffer;

// A threat: a piece on `from` attacks the occupied square `to`, of either colour (an own piece there is defended).
typedef struct setwise_threat {
  uint8_t from;
  uint8_t to;
} setwise_threat;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What was wrong with the last call of this thread that failed, in UTF-8; empty if none has. It stays until the
// next call of the thread that fails.
const char *setwise_error(void);

// The fastest kernel that this processor can run.
const struct setwise_kernel *setwise_kernel_detect(void);

// The kernel of this name, as in "avx2" or "avx512-gfni"; NULL if there is none or this processor cannot run it, and
// setwise_error() lists those that it can.
const struct setwise_kernel *setwise_kernel_by_name(const char *name);

// The kernels of this processor one by one, from the simplest to the fastest; NULL after the last.
const struct setwise_kernel *setwise_kernel_at(size_t index);

// A kernel's name.
const char *setwise_kernel_name(const struct setwise_kernel *kernel);

// A position from twelve sets: six of white (pawns, knights, bishops, rooks, queens, kings) and six of black.
enum setwise_status setwise_from_bitboards(const uint64_t *white,
                                           const uint64_t *black,
                                           struct setwise_pieces *pieces);

// A position from the piece on each of the 64 squares from a1 to h8: 0 for none, 1 to 6 for white's pawn, knight, bishop, rook,
// queen and king, 9 to 14 for black's. Anything else is SETWISE_PIECE.
enum setwise_status setwise_from_mailbox(const uint8_t *mailbox,
                                         struct setwise_pieces *pieces);

// Reads FEN or EPD, with four to six fields or fewer, Shredder-FEN included. No rule of the game is checked.
// `length` is in bytes; a line end may follow.
//
// If the text is no FEN, the status is SETWISE_FEN, setwise_error() says what was expected and what stands there, and
// `*error_column` is the column of the first wrong character, counted from 1. After success it is 0.
// `error_column` may be NULL.
enum setwise_status setwise_parse_fen(const char *text,
                                      size_t length,
                                      struct setwise_fen *fen,
                                      size_t *error_column);

// What orthogonal sliders (rooks, queens) and diagonal sliders (bishops, queens) attack together: the union of all
// rays. Queens stand in both sets. Sliders of a set stop each other whether `occupied` has them or not, but a bishop
// stops a rook only if `occupied` has it.
uint64_t setwise_slider_attacks(const struct setwise_kernel *kernel,
                                uint64_t orthogonal,
                                uint64_t diagonal,
                                uint64_t occupied);

// What sliders attack along ranks and files.
uint64_t setwise_orthogonal_attacks(const struct setwise_kernel *kernel,
                                    uint64_t sliders,
                                    uint64_t occupied);

// What sliders attack along diagonals.
uint64_t setwise_diagonal_attacks(const struct setwise_kernel *kernel,
                                  uint64_t sliders,
                                  uint64_t occupied);

// The rays of setwise_slider_attacks, one by one.
struct setwise_rays setwise_slider_rays(const struct setwise_kernel *kernel,
                                        uint64_t orthogonal,
                                        uint64_t diagonal,
                                        uint64_t occupied);

// What each side's sliders attack by role: eight sets for much less than eight calls.
struct setwise_slider_maps setwise_slider_attacks_by_role(const struct setwise_kernel *kernel,
                                                          const struct setwise_pieces *pieces);

// What both sides attack. All pieces block.
struct setwise_both_maps setwise_attacks(const struct setwise_kernel *kernel,
                                         const struct setwise_pieces *pieces);

// What one side attacks, with blockers of the caller's choice; its own sliders always block too. With the enemy king
// taken out of `occupied`, `all` is where that king must not go, and the other maps serve the evaluation in the
// same call.
struct setwise_maps setwise_attacks_by(const struct setwise_kernel *kernel,
                                       const struct setwise_pieces *pieces,
                                       uint8_t colour,
                                       uint64_t occupied);

// The pieces of a colour that attack a square of a set, given the blockers.
uint64_t setwise_attackers(const struct setwise_kernel *kernel,
                           const struct setwise_pieces *pieces,
                           uint64_t targets,
                           uint8_t colour,
                           uint64_t occupied);

// The pieces that give check to a colour.
uint64_t setwise_checkers(const struct setwise_kernel *kernel,
                          const struct setwise_pieces *pieces,
                          uint8_t colour);

// The pieces of a colour that are pinned to their king. They may still move along setwise_line(king, square).
uint64_t setwise_pinned(const struct setwise_kernel *kernel,
                        const struct setwise_pieces *pieces,
                        uint8_t colour);

// The squares where a king of the colour would be in check: what the enemy attacks with that king off the board.
uint64_t setwise_king_danger(const struct setwise_kernel *kernel,
                             const struct setwise_pieces *pieces,
                             uint8_t colour);

// What a rook on a square attacks; the empty set if the square is above 63, as in the four functions that follow.
uint64_t setwise_rook_attacks(uint8_t square,
                              uint64_t occupied);

// What a bishop on a square attacks.
uint64_t setwise_bishop_attacks(uint8_t square, uint64_t occupied);

// What a queen on a square attacks.
uint64_t setwise_queen_attacks(uint8_t square, uint64_t occupied);

// The squares strictly between two squares of a line; empty if they are on none.
uint64_t setwise_between(uint8_t a, uint8_t b);

// The whole line through two squares, from edge to edge; empty if they are on none.
uint64_t setwise_line(uint8_t a, uint8_t b);

// What a colour's pawns attack.
uint64_t setwise_pawn_attacks(uint8_t colour, uint64_t pawns);

// What knights attack.
uint64_t setwise_knight_attacks(uint64_t knights);

// What kings attack.
uint64_t setwise_king_attacks(uint64_t kings);

// The number of a column by its name, as in "white_all" (`docs/columns.md` lists them); -1 if there is none, and
// setwise_error() names the nearest. Numbers count from 0. They hold for one version of the library: look them up
// when the program starts.
int32_t setwise_column(const char *name);

// The name of a column by its number; NULL if there is none, so that one can count up to it.
const char *setwise_column_name(int32_t column);

// What a column says, in English; NULL if there is none of this number.
const char *setwise_column_meaning(int32_t column);

// The size of a column's value: 8 for uint64_t (a set of squares), 2 for uint16_t (a number); 0 if there is no such
// column.
size_t setwise_column_bytes(int32_t column);

// The squares that the sliders of each row attack: setwise_slider_attacks() for `count` rows.
enum setwise_status setwise_slider_attacks_bulk(const struct setwise_kernel *kernel,
                                                size_t count,
                                                const uint64_t *orthogonal,
                                                const uint64_t *diagonal,
                                                const uint64_t *occupied,
                                                uint64_t *attacks);

// The rays of the sliders of each row, into eight buffers of `count` sets, one for each direction as in setwise_rays:
// north, south, east, west, north-east, north-west, south-east, south-west.
enum setwise_status setwise_slider_rays_bulk(const struct setwise_kernel *kernel,
                                             size_t count,
                                             const uint64_t *orthogonal,
                                             const uint64_t *diagonal,
                                             const uint64_t *occupied,
                                             uint64_t *const *rays);

// Fills any columns for many positions, `buffer_count` of them. Work that no column needs is skipped, so ask for all
// of them in one call. Nothing is written unless everything about the call is right.
enum setwise_status setwise_fill(const struct setwise_kernel *kernel,
                                 const struct setwise_positions *positions,
                                 const struct setwise_buffer *buffers,
                                 size_t buffer_count);

// The threats of both sides, in an order that is the same for every kernel: how many there are, of which the first
// `room` are written. SETWISE_MOST_THREATS are enough room for any position.
size_t setwise_threats(const struct setwise_kernel *kernel,
                       const struct setwise_pieces *pieces,
                       struct setwise_threat *threats,
                       size_t room);

// The threats of many positions, one list after another: those of position `i` are `threats[offsets[i]]` up to, and
// not including, `threats[offsets[i + 1]]`. `offsets` has `positions->count + 1` values, `threats` has `room`.
//
// If that is too little room, the status is SETWISE_SIZE, both buffers may have been written, and
// `offsets[positions->count]` is the room that is needed.
enum setwise_status setwise_threats_bulk(const struct setwise_kernel *kernel,
                                         const struct setwise_positions *positions,
                                         size_t *offsets,
                                         struct setwise_threat *threats,
                                         size_t room);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SETWISE_H */
