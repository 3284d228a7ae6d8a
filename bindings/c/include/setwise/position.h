/* setwise: one position, and the types that all headers use. Include setwise.h, which states the rules for pointers. */

#ifndef SETWISE_POSITION_H
#define SETWISE_POSITION_H

#include <stddef.h>
#include <stdint.h>

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

// What setwise_pieces_parse_uci() returns for a move that is not legal, and for any text if the position is invalid.
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
  // A square is above 63 or changes twice, or its new piece is above 15.
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
  // The result of setwise_pieces_king_danger(); unspecified if a square has two pieces.
  uint64_t danger;
  // For each role, the squares from which an enemy piece gives check; empty for kings.
  uint64_t checking_squares[6];
} setwise_king_facts;

// The facts about the kings of both sides.
typedef struct setwise_both_king_facts {
  struct setwise_king_facts white;
  struct setwise_king_facts black;
} setwise_both_king_facts;

// The state of a position that legal moves depend on, apart from the pieces. The fields are as in setwise_fen.
typedef struct setwise_state {
  uint8_t turn;
  uint8_t castling_white;
  uint8_t castling_black;
  uint8_t en_passant;
} setwise_state;

#ifdef __cplusplus
extern "C" {
#endif

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

// All facts about a side's king in one call, which takes less time than separate calls.
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
// castling, whose destination is as in setwise_pieces_legal_targets(). For many positions use the column
// `legal_moves`.
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
// order; the king only an undefended piece. Sliders behind other attackers take part; pins are ignored; only the move
// itself can promote. Castling, a move from an empty square, and bits that are not a move win 0.
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
// ("e1g1"; in Chess960 to the c- or g-file, unless that is another move) or king takes rook ("e1h1"). `length` is
// in bytes; the text need not end with a NUL.
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

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* SETWISE_POSITION_H */
