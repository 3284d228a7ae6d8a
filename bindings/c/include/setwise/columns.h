/* setwise: many positions. Include setwise.h, which states the rules for pointers. */

#ifndef SETWISE_COLUMNS_H
#define SETWISE_COLUMNS_H

#include "networks.h"

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
#endif

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
} // extern "C"
#endif

#endif /* SETWISE_COLUMNS_H */
