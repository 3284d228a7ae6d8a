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
 * -lbcrypt (see pkg-config --static). The headers in setwise/ are generated from the library's source: change
 * comments and declarations there.
 */

#ifndef SETWISE_H
#define SETWISE_H

/* The version of this header; setwise_version_number() returns that of the library in use. */
#define SETWISE_VERSION_MAJOR 0
#define SETWISE_VERSION_MINOR 1
#define SETWISE_VERSION_PATCH 0
/* The version as one number: 1.2.3 is 1002003. */
#define SETWISE_VERSION \
    (SETWISE_VERSION_MAJOR * 1000000 + SETWISE_VERSION_MINOR * 1000 + SETWISE_VERSION_PATCH)

#include "setwise/position.h"
#include "setwise/networks.h"
#include "setwise/columns.h"

#endif /* SETWISE_H */
