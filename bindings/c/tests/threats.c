/* Tests calls for changes of threats and inputs: every error, each of which writes nothing, and buffers that end at an
 * inaccessible page. The tests of the crate compare the results with those of Rust. */
#define _DEFAULT_SOURCE
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int failures = 0;

static void expect(int line, int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "line %d: %s (the last error: %s)\n", line, what, setwise_error_message());
        failures++;
    }
}
#define EXPECT(right) expect(__LINE__, (right), #right)
#define FAILS(call, expected, word) EXPECT((call) == (expected) && strstr(setwise_error_message(), (word)) != NULL)

static int is_untouched(const void *values, size_t bytes)
{
    const unsigned char *byte = (const unsigned char *)values;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != 0x5a)
            return 0;
    return 1;
}

static const setwise_feature_set *narrow, *wide, *all; /* 59,808, 79,856 and 88,944 inputs */

static void feature_sets(void)
{
    narrow = setwise_feature_set_find("stockfish-threats-2026-08");
    wide = setwise_feature_set_find("stockfish-threats-2025-11");
    EXPECT(narrow != NULL && wide != NULL && setwise_feature_set_at(0) == wide && setwise_feature_set_at(2) == narrow);
    EXPECT(setwise_feature_set_inputs(narrow) == 59808 && setwise_feature_set_inputs(wide) == 79856);
    EXPECT(setwise_feature_set_inputs(NULL) == 0 && setwise_feature_set_name(NULL) == NULL);
    EXPECT(strcmp(setwise_feature_set_name(wide), "stockfish-threats-2025-11") == 0);
    EXPECT(setwise_feature_set_at((size_t)-1) == NULL);
    FAILS(setwise_feature_set_find("stockfish"), NULL, "stockfish-threats-2026-08");
    FAILS(setwise_feature_set_find(NULL), NULL, "null");

    setwise_feature_block block;
    uint32_t first = 7;
    memset(&block, 0x5a, sizeof block);
    FAILS(setwise_feature_set_block(NULL, 0, &block, &first), SETWISE_STATUS_NULL, "set");
    FAILS(setwise_feature_set_block(narrow, 0, NULL, &first), SETWISE_STATUS_NULL, "block");
    FAILS(setwise_feature_set_block(narrow, 0, &block, NULL), SETWISE_STATUS_NULL, "first");
    FAILS(setwise_feature_set_block(narrow, 1, &block, &first), SETWISE_STATUS_FEATURE_SET, "1 blocks");
    EXPECT(is_untouched(&block, sizeof block) && first == 7);
    EXPECT(setwise_feature_set_block(narrow, 0, &block, &first) == SETWISE_STATUS_OK);
    EXPECT(block.kind == SETWISE_BLOCK_THREATS && block.width == 128 && block.hash == 0x2e6b9d04 && first == 0);
    const setwise_threat_inputs *known = &block.threats;
    EXPECT(known->targets[1] == 10 && known->map[0][0] == -1 && known->map[0][1] == 0 && known->once[1][1] == 1);
    EXPECT(known->mirror == SETWISE_MIRROR_KING_TO_A_TO_D);

    /* A set of three blocks, by its own name and by joined names. */
    all = setwise_feature_set_find("nnue-pytorch-2026-07");
    EXPECT(setwise_feature_set_inputs(all) == 88944 && setwise_feature_set_block_count(all) == 3);
    EXPECT(setwise_feature_set_row_width(all) == 288 && setwise_feature_set_row_width(NULL) == 0);
    EXPECT(setwise_feature_set_max_inputs(all) == SETWISE_MAX_INPUTS && setwise_feature_set_max_inputs(NULL) == 0);
    EXPECT(setwise_feature_set_max_changes(all, 4) == SETWISE_MAX_MOVE_INPUTS && setwise_feature_set_max_changes(NULL, 4) == 0);
    EXPECT(setwise_feature_set_block_count(NULL) == 0);
    EXPECT(setwise_feature_set_block(all, 2, &block, &first) == SETWISE_STATUS_OK);
    EXPECT(block.kind == SETWISE_BLOCK_PIECE_SQUARE && block.width == 32 && first == 59808 + 4560);
    EXPECT(block.piece_square.buckets[4] == 31 && block.piece_square.planes[1][5] == 11);
    EXPECT(setwise_feature_set_block(all, 1, &block, &first) == SETWISE_STATUS_OK);
    EXPECT(block.kind == SETWISE_BLOCK_PAWN_PAIRS && block.pawn_pairs.files_apart == 1);
    EXPECT(block.pawn_pairs.first_rank == 2 && block.pawn_pairs.last_rank == 7 && first == 59808);
    const char *joined = "stockfish-threats-2026-08+halfka-hm";
    const setwise_feature_set *two = setwise_feature_set_find(joined);
    EXPECT(two != NULL && two == setwise_feature_set_find(joined) && strcmp(setwise_feature_set_name(two), joined) == 0);
    EXPECT(setwise_feature_set_inputs(two) == 59808 + 24576);
    setwise_feature_set_free((setwise_feature_set *)two);
    EXPECT(setwise_feature_set_inputs(two) == 59808 + 24576);
    FAILS(setwise_feature_set_find("halfka-hm+halfka"), NULL, "`halfka-hm`");
    FAILS(setwise_feature_set_find("halfka-hm+nnue-pytorch-2026-07"), NULL, "overlap");

    /* Attacks by pawns, pairs of pawns on a file, and 768 inputs. */
    setwise_feature_set *made = NULL;
    setwise_feature_block blocks[5];
    memset(blocks, 0, sizeof blocks);
    setwise_threat_inputs *table = &blocks[0].threats;
    blocks[0].kind = SETWISE_BLOCK_THREATS;
    memset(table->map, -1, sizeof table->map);
    table->targets[0] = 12;
    for (int role = 0; role < 6; role++)
        table->map[0][role] = (int8_t)role;
    blocks[1].kind = SETWISE_BLOCK_PAWN_PAIRS;
    blocks[1].pawn_pairs.first_rank = 2, blocks[1].pawn_pairs.last_rank = 7;
    blocks[2].kind = SETWISE_BLOCK_PIECE_SQUARE;
    blocks[2].width = 32;
    for (int plane = 0; plane < 12; plane++)
        blocks[2].piece_square.planes[plane / 6][plane % 6] = (int8_t)plane;
    EXPECT(setwise_feature_set_new("three", blocks, 3, &made) == SETWISE_STATUS_OK);
    EXPECT(setwise_feature_set_inputs(made) == 2 * 12 * 84 + 4560 + 768 && strcmp(setwise_feature_set_name(made), "three") == 0);
    EXPECT(setwise_feature_set_row_width(made) == 32);
    setwise_feature_set_free(made);
    EXPECT(setwise_feature_set_new(NULL, blocks, 1, &made) == SETWISE_STATUS_OK);
    EXPECT(setwise_feature_set_inputs(made) == 2 * 12 * 84 && strcmp(setwise_feature_set_name(made), "custom") == 0);
    EXPECT(setwise_feature_set_is_same_view(made, SETWISE_WHITE, 3, 4) == 1);
    EXPECT(setwise_feature_set_is_same_view(all, SETWISE_WHITE, 5, 6) == 0);
    EXPECT(setwise_feature_set_is_same_view(narrow, SETWISE_BLACK, 59, 60) == 0);
    EXPECT(setwise_feature_set_is_same_view(narrow, SETWISE_BLACK, 60, 63) == 1);
    EXPECT(setwise_feature_set_is_same_view(narrow, SETWISE_BLACK, 60, 64) == 0);

    /* Many positions with a custom set. */
    setwise_fen fen;
    const char *text = "4k3/8/8/3p4/4P3/8/8/4R1K1 w - - 0 1";
    EXPECT(setwise_fen_parse(text, strlen(text), &fen, NULL) == SETWISE_STATUS_OK);
    setwise_positions from;
    memset(&from, 0, sizeof from);
    from.count = 1;
    from.rows = &fen.pieces;
    size_t offsets[2];
    uint32_t inputs[8], one[2][SETWISE_MAX_INPUTS];
    setwise_buffer buffer;
    memset(&buffer, 0, sizeof buffer);
    buffer.column = setwise_column_find("white_features");
    buffer.values = inputs, buffer.bytes = sizeof inputs;
    buffer.offsets = offsets;
    buffer.feature_set = made;
    EXPECT(setwise_positions_fill(NULL, &from, &buffer, 1) == SETWISE_STATUS_OK && offsets[1] == 2);
    size_t counts[2] = {0, 0};
    EXPECT(setwise_pieces_inputs(NULL, &fen.pieces, made, one[0], one[1], SETWISE_MAX_INPUTS, counts) ==
           SETWISE_STATUS_OK);
    EXPECT(counts[0] == 2 && counts[1] == 2 && memcmp(inputs, one[0], sizeof(uint32_t[2])) == 0);
    setwise_feature_set_free(made);
    setwise_feature_set_free(NULL);

    /* A set made from the blocks of another set has the same inputs, for all squares of the kings. */
    setwise_feature_block shown[3];
    for (size_t i = 0; i < 3; i++)
        EXPECT(setwise_feature_set_block(all, i, &shown[i], &first) == SETWISE_STATUS_OK);
    EXPECT(setwise_feature_set_new(NULL, shown, 3, &made) == SETWISE_STATUS_OK);
    static const char *const texts[] = {"r2k4/pp3q2/2n5/3p4/4P3/5N2/PP1B4/4R1K1 w - - 0 1",
                                        "6k1/5ppp/3b4/8/1Q2p3/8/3P1PPP/2K1R3 b - - 0 1"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t other[2][SETWISE_MAX_INPUTS];
        size_t others[2] = {7, 7};
        EXPECT(setwise_fen_parse(texts[i], strlen(texts[i]), &fen, NULL) == SETWISE_STATUS_OK);
        EXPECT(setwise_pieces_inputs(NULL, &fen.pieces, all, one[0], one[1], SETWISE_MAX_INPUTS, counts) ==
               SETWISE_STATUS_OK);
        EXPECT(setwise_pieces_inputs(NULL, &fen.pieces, made, other[0], other[1], SETWISE_MAX_INPUTS, others) ==
               SETWISE_STATUS_OK);
        for (int side = 0; side < 2; side++)
            EXPECT(counts[side] > 16 && others[side] == counts[side] &&
                   memcmp(one[side], other[side], counts[side] * sizeof(uint32_t)) == 0);
    }
    setwise_feature_set_free(made);

    made = NULL;
    FAILS(setwise_feature_set_new(NULL, blocks, 0, &made), SETWISE_STATUS_FEATURE_SET, "0 blocks");
    FAILS(setwise_feature_set_new(NULL, blocks, 5, &made), SETWISE_STATUS_FEATURE_SET, "5 blocks");
    blocks[3] = blocks[4] = blocks[2];
    FAILS(setwise_feature_set_new(NULL, blocks + 3, 2, &made), SETWISE_STATUS_FEATURE_SET, "overlap");
    FAILS(setwise_feature_set_new("0123456789012345678901234567890123456789012345678901234567890123"
                                  "0123456789012345678901234567890123456789012345678901234567890123", blocks, 3, &made),
          SETWISE_STATUS_FEATURE_SET, "128 bytes");
#define BLOCK_FAILS(word) FAILS(setwise_feature_set_new(NULL, blocks, 3, &made), SETWISE_STATUS_FEATURE_SET, word)
    table->mirror = 3;
    BLOCK_FAILS("mirror");
    table->mirror = SETWISE_MIRROR_NEVER;
    table->targets[0] = 11;
    BLOCK_FAILS("targets");
    table->targets[0] = 10;
    BLOCK_FAILS("King");
    table->targets[0] = 12;
    blocks[0].kind = 3;
    BLOCK_FAILS("kind");
    blocks[0].kind = SETWISE_BLOCK_THREATS;
    blocks[1].pawn_pairs.last_rank = 8;
    BLOCK_FAILS("ranks 2 to 8");
    blocks[1].pawn_pairs.last_rank = 7;
    blocks[1].pawn_pairs.files_apart = 8;
    BLOCK_FAILS("8 files");
    blocks[1].pawn_pairs.files_apart = 7;
    blocks[2].piece_square.planes[0][0] = 64;
    BLOCK_FAILS("plane 64");
    FAILS(setwise_feature_set_new(NULL, NULL, 1, &made), SETWISE_STATUS_NULL, "blocks");
    FAILS(setwise_feature_set_new(NULL, blocks, 1, NULL), SETWISE_STATUS_NULL, "set");
    EXPECT(made == NULL);
}

/* White: Ke1, Rh1, pawn e4. Black: Ke8, pawn d5. */
static uint8_t mailbox[64];
static const setwise_square_change capture[2] = {{28, 0}, {35, 1}}; /* e4xd5 */

static void set_up(void)
{
    mailbox[4] = 6, mailbox[7] = 4, mailbox[28] = 1;
    mailbox[60] = 14, mailbox[35] = 9;
}

static void records(void)
{
    static setwise_threat_change to[SETWISE_MAX_MOVE_CHANGES];
    enum { ALL = SETWISE_MAX_MOVE_CHANGES };
    size_t count = 7;
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, capture, 2, NULL, to, ALL, &count) == SETWISE_STATUS_OK);
    /* The attacks of both pawns are removed; nothing is added. */
    EXPECT(count == 2);
    for (size_t i = 0; i < 2; i++)
        EXPECT(to[i] == (28u | 35u << 8 | 1u << 16 | 9u << 24) || to[i] == (35u | 28u << 8 | 9u << 16 | 1u << 24));
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, NULL, 0, NULL, to, ALL, &count) == SETWISE_STATUS_OK && count == 0);
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, NULL, 0, NULL, NULL, 0, &count) == SETWISE_STATUS_OK && count == 0);
    /* The set has no inputs for attacks by kings, so no input changes when the rook moves from h1 to f1. */
    const setwise_square_change quiet[2] = {{7, 0}, {5, 4}};
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, quiet, 2, NULL, to, ALL, &count) == SETWISE_STATUS_OK && count == 3);
    EXPECT((to[0] & SETWISE_THREAT_ADDED) == 0 && (to[1] & SETWISE_THREAT_ADDED) != 0);
    EXPECT(sizeof SETWISE_THREAT_ADDED == sizeof to[0]); /* its complement converts without a warning */
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, quiet, 2, narrow, to, ALL, &count) == SETWISE_STATUS_OK && count == 0);
    /* The rook attacks a blocker on g1 instead of the king. The blocker attacks nothing. */
    const setwise_square_change blocker[1] = {{6, 7}};
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, blocker, 1, NULL, to, ALL, &count) == SETWISE_STATUS_OK && count == 2);
    for (size_t i = 0; i < 2; i++)
        EXPECT(to[i] == (7u | 4u << 8 | 4u << 16 | 6u << 24) || to[i] == (SETWISE_THREAT_ADDED | 7u | 6u << 8 | 4u << 16 | 7u << 24));

    memset(to, 0x5a, sizeof to);
    count = 7;
#define RECORDS_FAIL(mailbox, changes, changed, to_records, capacity, counted, expected, word)                         \
    FAILS(setwise_mailbox_threat_changes(NULL, mailbox, changes, changed, NULL, to_records, capacity, counted), expected, word)
    RECORDS_FAIL(mailbox, capture, 2, to, 1, &count, SETWISE_STATUS_CAPACITY, "2 are needed");
    RECORDS_FAIL(mailbox, capture, 2, NULL, 0, &count, SETWISE_STATUS_CAPACITY, "2 are needed");
    RECORDS_FAIL(NULL, capture, 2, to, ALL, &count, SETWISE_STATUS_NULL, "mailbox");
    RECORDS_FAIL(mailbox, NULL, 2, to, ALL, &count, SETWISE_STATUS_NULL, "changes");
    RECORDS_FAIL(mailbox, capture, 2, NULL, ALL, &count, SETWISE_STATUS_NULL, "records");
    RECORDS_FAIL(mailbox, capture, 2, to, ALL, NULL, SETWISE_STATUS_NULL, "count");
    RECORDS_FAIL(mailbox, capture, 65, to, ALL, &count, SETWISE_STATUS_SQUARE, "65 squares");
    RECORDS_FAIL(mailbox, capture, 2, (setwise_threat_change *)((char *)to + 1), ALL - 1, &count, SETWISE_STATUS_UNALIGNED,
                 "records");
    RECORDS_FAIL(mailbox, capture, 2, (setwise_threat_change *)(UINTPTR_MAX - 15), ALL, &count, SETWISE_STATUS_SIZE, "records");
    RECORDS_FAIL(mailbox, capture, 2, to, ALL, (size_t *)(void *)to, SETWISE_STATUS_OVERLAP, "count");
    RECORDS_FAIL((const uint8_t *)to + 400, capture, 2, to, ALL, &count, SETWISE_STATUS_OVERLAP, "mailbox");
    RECORDS_FAIL(mailbox, (const setwise_square_change *)to + 10, 2, to, ALL, &count, SETWISE_STATUS_OVERLAP, "changes");
    setwise_square_change wrong[2] = {{28, 0}, {28, 1}};
    RECORDS_FAIL(mailbox, wrong, 2, to, ALL, &count, SETWISE_STATUS_SQUARE, "twice");
    wrong[1].square = 64;
    RECORDS_FAIL(mailbox, wrong, 2, to, ALL, &count, SETWISE_STATUS_SQUARE, "above");
    wrong[1].square = 35, wrong[1].piece = 16;
    RECORDS_FAIL(mailbox, wrong, 2, to, ALL, &count, SETWISE_STATUS_SQUARE, "above");
    EXPECT(is_untouched(to, sizeof to) && count == 7);
}

static void inputs(void)
{
    static uint32_t buffers[4][SETWISE_MAX_MOVE_CHANGES];
    static uint32_t lists[2][SETWISE_MAX_INPUTS];
    const size_t capacity = SETWISE_MAX_MOVE_CHANGES;
    const setwise_input_changes good[2] = {{buffers[0], buffers[1], capacity, 7, 7, 7}, {buffers[2], buffers[3], capacity, 7, 7, 7}};
    setwise_input_changes sides[2] = {good[0], good[1]};
#define RESET() memcpy(sides, good, sizeof sides)
    EXPECT(setwise_mailbox_input_changes(NULL, mailbox, capture, 2, narrow, sides) == SETWISE_STATUS_OK);
    EXPECT(sides[0].added_count == 0 && sides[1].added_count == 0 && sides[0].is_anew == 0 && sides[1].is_anew == 0);
    /* The set has no inputs for pawns that attack each other. */
    EXPECT(sides[0].removed_count == 0 && sides[1].removed_count == 0);
    const setwise_square_change to_d1[2] = {{4, 0}, {3, 6}};
    RESET();
    EXPECT(setwise_mailbox_input_changes(NULL, mailbox, to_d1, 2, narrow, sides) == SETWISE_STATUS_OK);
    EXPECT(sides[0].is_anew == 1 && sides[0].added_count == 0 && sides[1].is_anew == 0);

    memset(buffers, 0x5a, sizeof buffers);
    RESET();
#define INPUTS_FAIL(mailbox, changes, changed, set, expected, word)                                                    \
    do {                                                                                                               \
        FAILS(setwise_mailbox_input_changes(NULL, mailbox, changes, changed, set, sides), expected, word);         \
        EXPECT(is_untouched(buffers, sizeof buffers) && sides[0].added_count == 7 && sides[1].is_anew == 7);           \
        RESET();                                                                                                       \
    } while (0)
    INPUTS_FAIL(NULL, capture, 2, narrow, SETWISE_STATUS_NULL, "mailbox");
    INPUTS_FAIL(mailbox, NULL, 2, narrow, SETWISE_STATUS_NULL, "changes");
    INPUTS_FAIL(mailbox, capture, 2, NULL, SETWISE_STATUS_NULL, "set");
    INPUTS_FAIL(mailbox, capture, 100, narrow, SETWISE_STATUS_SQUARE, "100");
    sides[1].removed = NULL;
    INPUTS_FAIL(mailbox, capture, 2, narrow, SETWISE_STATUS_NULL, "removed");
    sides[0].added = (uint32_t *)((char *)buffers[0] + 1), sides[0].capacity--;
    INPUTS_FAIL(mailbox, capture, 2, narrow, SETWISE_STATUS_UNALIGNED, "added");
    sides[0].added = buffers[3] + 5;
    INPUTS_FAIL(mailbox, capture, 2, narrow, SETWISE_STATUS_OVERLAP, "overlap");
    sides[0].added = (uint32_t *)(void *)sides;
    INPUTS_FAIL(mailbox, capture, 2, narrow, SETWISE_STATUS_OVERLAP, "sides");
    FAILS(setwise_mailbox_input_changes(NULL, mailbox, capture, 2, narrow, NULL), SETWISE_STATUS_NULL, "sides");
    const setwise_square_change twice[2] = {{28, 0}, {28, 1}}, kings[1] = {{20, 6}}, no_king[1] = {{60, 0}};
    INPUTS_FAIL(mailbox, twice, 2, narrow, SETWISE_STATUS_SQUARE, "twice");
    INPUTS_FAIL(mailbox, kings, 1, narrow, SETWISE_STATUS_KINGS, "White has 2 kings");
    INPUTS_FAIL(mailbox, no_king, 1, narrow, SETWISE_STATUS_KINGS, "Black has 0 kings");
    const setwise_square_change knight[1] = {{45, 2}}; /* f6: attacks d5 and e4 */
    sides[1].capacity = 1;
    INPUTS_FAIL(mailbox, knight, 1, narrow, SETWISE_STATUS_CAPACITY, "Black");
    sides[0].capacity = 0;
    INPUTS_FAIL(mailbox, knight, 1, narrow, SETWISE_STATUS_CAPACITY, "White");
    sides[0].capacity = sides[1].capacity = 2;
    EXPECT(setwise_mailbox_input_changes(NULL, mailbox, knight, 1, narrow, sides) == SETWISE_STATUS_OK);
    EXPECT(sides[0].added_count == 2 && sides[1].added_count == 2 && sides[0].removed_count == 0);

    /* The same inputs from records. */
    setwise_threat_change records[SETWISE_MAX_MOVE_CHANGES];
    size_t count = 0;
    EXPECT(setwise_mailbox_threat_changes(NULL, mailbox, knight, 1, narrow, records, capacity, &count) == SETWISE_STATUS_OK);
    EXPECT(count == 2);
    uint32_t of_white[2];
    memcpy(of_white, buffers[0], sizeof of_white);
    memset(buffers, 0x5a, sizeof buffers);
    RESET();
#define RECORDS_INPUTS_FAIL(set, king, records, side, expected, word)                                                  \
    FAILS(setwise_feature_set_input_changes(set, SETWISE_WHITE, king, records, count, side), expected, word)
    RECORDS_INPUTS_FAIL(NULL, 4, records, sides, SETWISE_STATUS_NULL, "set");
    RECORDS_INPUTS_FAIL(narrow, 64, records, sides, SETWISE_STATUS_SQUARE, "64");
    RECORDS_INPUTS_FAIL(narrow, 4, NULL, sides, SETWISE_STATUS_NULL, "records");
    RECORDS_INPUTS_FAIL(narrow, 4, records, NULL, SETWISE_STATUS_NULL, "side");
    /* The sizes in bytes overflow to 0, or exceed the address space. */
    const size_t counts_beyond[] = {SIZE_MAX / 8 + 1, SIZE_MAX / 4,           SIZE_MAX / 4 + 1,
                                    SIZE_MAX / 4 + 2, SIZE_MAX / 4 * 3 + 3, SIZE_MAX};
    sides[0].capacity = SIZE_MAX;
    for (size_t i = 0; i < sizeof counts_beyond / sizeof *counts_beyond; i++)
        FAILS(setwise_feature_set_input_changes(narrow, SETWISE_WHITE, 4, records, counts_beyond[i], sides),
              SETWISE_STATUS_SIZE, "records");
    EXPECT(sides[0].added_count == 7 && sides[0].removed_count == 7 && sides[0].is_anew == 7);
    RESET();
    sides[0].removed = (uint32_t *)(void *)records;
    RECORDS_INPUTS_FAIL(narrow, 4, records, sides, SETWISE_STATUS_OVERLAP, "records");
    RESET();
    sides[0].capacity = 1;
    RECORDS_INPUTS_FAIL(narrow, 4, records, sides, SETWISE_STATUS_CAPACITY, "2");
    EXPECT(is_untouched(buffers, sizeof buffers) && sides[0].added_count == 7);
    sides[0].capacity = 2;
    EXPECT(setwise_feature_set_input_changes(narrow, SETWISE_WHITE, 4, records, count, sides) == SETWISE_STATUS_OK);
    EXPECT(sides[0].added_count == 2 && memcmp(buffers[0], of_white, sizeof of_white) == 0);

    setwise_pieces pieces;
    size_t counts[2] = {7, 7};
    mailbox[45] = 2;
    EXPECT(setwise_pieces_from_mailbox(mailbox, &pieces) == SETWISE_STATUS_OK);
    memset(lists, 0x5a, sizeof lists);
    const size_t max = SETWISE_MAX_INPUTS;
#define LISTS_FAIL(pieces, set, white, black, capacity, counts, expected, word)                                        \
    FAILS(setwise_pieces_inputs(NULL, pieces, set, white, black, capacity, counts), expected, word)
    LISTS_FAIL(NULL, narrow, lists[0], lists[1], max, counts, SETWISE_STATUS_NULL, "pieces");
    LISTS_FAIL(&pieces, NULL, lists[0], lists[1], max, counts, SETWISE_STATUS_NULL, "set");
    LISTS_FAIL(&pieces, narrow, NULL, lists[1], max, counts, SETWISE_STATUS_NULL, "white");
    LISTS_FAIL(&pieces, narrow, lists[0], NULL, max, counts, SETWISE_STATUS_NULL, "black");
    LISTS_FAIL(&pieces, narrow, lists[0], lists[1], max, NULL, SETWISE_STATUS_NULL, "counts");
    LISTS_FAIL(&pieces, narrow, lists[0], lists[0] + 3, max, counts, SETWISE_STATUS_OVERLAP, "white");
    LISTS_FAIL(&pieces, narrow, lists[0], lists[1], 1, counts, SETWISE_STATUS_CAPACITY, "White");
    const setwise_pieces bare = {0, 0, 0, 0, 0, 0, 0, 0};
    LISTS_FAIL(&bare, narrow, lists[0], lists[1], max, counts, SETWISE_STATUS_KINGS, "White has 0 kings");
    EXPECT(is_untouched(lists, sizeof lists) && counts[0] == 7);
    EXPECT(setwise_pieces_inputs(NULL, &pieces, narrow, lists[0], lists[1], 4, counts) == SETWISE_STATUS_OK);
    EXPECT(counts[0] >= 2 && counts[0] <= 4 && is_untouched(&lists[0][4], sizeof(uint32_t)));
    for (uint8_t side = 0; side < 2; side++) {
        uint32_t of_side[SETWISE_MAX_INPUTS];
        size_t count = 7;
#define SIDE_FAILS(pieces, set, inputs, capacity, count, expected, word)                                               \
    FAILS(setwise_pieces_perspective_inputs(NULL, pieces, set, side, inputs, capacity, count), expected, word)
        memset(of_side, 0x5a, sizeof of_side);
        SIDE_FAILS(NULL, narrow, of_side, max, &count, SETWISE_STATUS_NULL, "pieces");
        SIDE_FAILS(&pieces, NULL, of_side, max, &count, SETWISE_STATUS_NULL, "set");
        SIDE_FAILS(&pieces, narrow, NULL, max, &count, SETWISE_STATUS_NULL, "inputs");
        SIDE_FAILS(&pieces, narrow, of_side, max, NULL, SETWISE_STATUS_NULL, "count");
        SIDE_FAILS(&pieces, narrow, of_side, 1, &count, SETWISE_STATUS_CAPACITY, side == 0 ? "White" : "Black");
        SIDE_FAILS(&bare, narrow, of_side, max, &count, SETWISE_STATUS_KINGS, "White has 0 kings");
        EXPECT(is_untouched(of_side, sizeof of_side) && count == 7);
        EXPECT(setwise_pieces_perspective_inputs(NULL, &pieces, narrow, side, of_side, counts[side], &count) ==
               SETWISE_STATUS_OK);
        EXPECT(count == counts[side] && memcmp(of_side, lists[side], 4 * count) == 0);
    }
    mailbox[45] = 0;
    FAILS(setwise_pieces_to_mailbox(NULL, mailbox), SETWISE_STATUS_NULL, "pieces");
    FAILS(setwise_pieces_to_mailbox(&pieces, NULL), SETWISE_STATUS_NULL, "mailbox");
}

static uint64_t seed = 0x9e3779b97f4a7c15;

static unsigned below(unsigned end)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed * 0x2545f4914f6cdd1d >> 32) % end);
}

/* A page between two inaccessible pages. */
static char *new_page(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = (char *)mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == (char *)MAP_FAILED || mprotect(all + page, page, PROT_READ | PROT_WRITE) != 0)
        exit(EXIT_FAILURE);
    return all + page;
}

/* Places all arrays at the end of a page, or at its start, and compares the results with those of the kernel `scalar`
 * in ordinary memory. */
static void guards(const setwise_kernel *kernel)
{
    static char *pages[5];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < 5; i++)
        if (pages[i] == NULL)
            pages[i] = new_page();
#define AT(i, bytes) ((void *)(at_end ? pages[i] + page - (bytes) : pages[i]))
    for (int turn = 0; turn < 2000; turn++) {
        const int at_end = turn & 1;
        uint8_t board[64];
        for (int square = 0; square < 64; square++)
            board[square] = below(3) == 0 ? (uint8_t)(1 + below(5) + 8 * below(2)) : 0;
        const unsigned king = below(64);
        board[king] = 6, board[(king + 1 + below(63)) & 63] = 14;
        setwise_square_change changes[4];
        size_t changed = 0;
        uint64_t taken = 0;
        for (unsigned wanted = below(5); wanted > 0; wanted--) {
            const uint8_t square = (uint8_t)below(64);
            if ((board[square] & 7) == 6 || (taken >> square & 1) != 0)
                continue;
            taken |= 1ull << square;
            changes[changed].square = square;
            changes[changed++].piece = (uint8_t)(below(2) * (1 + below(5)));
        }
        setwise_threat_change expected[SETWISE_MAX_MOVE_CHANGES];
        size_t count = 0, found = 0;
        const setwise_feature_set *set = turn & 2 ? narrow : NULL;
        const setwise_kernel *scalar = setwise_kernel_at(0);
        EXPECT(setwise_mailbox_threat_changes(scalar, board, changes, changed, set, expected, SETWISE_MAX_MOVE_CHANGES, &count) ==
               SETWISE_STATUS_OK);
        const size_t capacity = turn & 4 ? count : count + below(SETWISE_MAX_MOVE_CHANGES);
        uint8_t *from = (uint8_t *)memcpy(AT(0, 64), board, 64);
        setwise_square_change *squares = (setwise_square_change *)memcpy(AT(1, 2 * changed), changes, 2 * changed);
        setwise_threat_change *to = (setwise_threat_change *)AT(2, sizeof *to * capacity);
        EXPECT(setwise_mailbox_threat_changes(kernel, from, squares, changed, set, to, capacity, &found) == SETWISE_STATUS_OK);
        EXPECT(found == count && memcmp(to, expected, count * sizeof *to) == 0);
        if (count > 0) {
            setwise_threat_change *few = (setwise_threat_change *)AT(2, sizeof *to * (count - 1));
            memset(few, 0x5a, sizeof *to * (count - 1));
            EXPECT(setwise_mailbox_threat_changes(kernel, from, squares, changed, set, few, count - 1, &found) ==
                   SETWISE_STATUS_CAPACITY);
            EXPECT(found == count && is_untouched(few, sizeof *to * (count - 1)));
        }

        uint32_t lists[2][SETWISE_MAX_INPUTS];
        size_t counts[2], lengths[2];
        setwise_pieces pieces;
        EXPECT(setwise_pieces_from_mailbox(board, &pieces) == SETWISE_STATUS_OK);
        EXPECT(setwise_pieces_inputs(scalar, &pieces, narrow, lists[0], lists[1], SETWISE_MAX_INPUTS, counts) ==
               SETWISE_STATUS_OK);
        const size_t larger = counts[0] > counts[1] ? counts[0] : counts[1];
        uint32_t *white = (uint32_t *)AT(2, 4 * larger), *black = (uint32_t *)AT(3, 4 * larger);
        setwise_pieces *copy = (setwise_pieces *)memcpy(AT(4, sizeof pieces), &pieces, sizeof pieces);
        EXPECT(setwise_pieces_inputs(kernel, copy, narrow, white, black, larger, lengths) == SETWISE_STATUS_OK);
        EXPECT(memcmp(counts, lengths, sizeof counts) == 0);
        EXPECT(memcmp(white, lists[0], 4 * counts[0]) == 0 && memcmp(black, lists[1], 4 * counts[1]) == 0);
        for (uint8_t side = 0; side < 2; side++) {
            uint32_t *own = (uint32_t *)AT(2, 4 * counts[side]);
            EXPECT(setwise_pieces_perspective_inputs(kernel, copy, narrow, side, own, counts[side], lengths) ==
                   SETWISE_STATUS_OK);
            EXPECT(lengths[0] == counts[side] && memcmp(own, lists[side], 4 * counts[side]) == 0);
        }

        /* All blocks. */
        uint32_t wide_lists[2][SETWISE_MAX_INPUTS];
        EXPECT(setwise_pieces_inputs(scalar, &pieces, all, wide_lists[0], wide_lists[1], SETWISE_MAX_INPUTS, counts) ==
               SETWISE_STATUS_OK);
        const size_t longer = counts[0] > counts[1] ? counts[0] : counts[1];
        uint32_t *to_white = (uint32_t *)AT(2, 4 * longer), *to_black = (uint32_t *)AT(3, 4 * longer);
        EXPECT(setwise_pieces_inputs(kernel, copy, all, to_white, to_black, longer, lengths) == SETWISE_STATUS_OK);
        EXPECT(memcmp(counts, lengths, sizeof counts) == 0);
        EXPECT(memcmp(to_white, wide_lists[0], 4 * counts[0]) == 0 && memcmp(to_black, wide_lists[1], 4 * counts[1]) == 0);
        static uint32_t right[4][SETWISE_MAX_MOVE_INPUTS], others[2][SETWISE_MAX_MOVE_INPUTS];
        const size_t most = SETWISE_MAX_MOVE_INPUTS;
        setwise_input_changes sides[2] = {{right[0], right[1], most, 0, 0, 0}, {right[2], right[3], most, 0, 0, 0}};
        EXPECT(setwise_mailbox_input_changes(scalar, board, changes, changed, all, sides) == SETWISE_STATUS_OK);
        const size_t added = sides[0].added_count, removed = sides[0].removed_count;
        const size_t needed = added > removed ? added : removed;
        setwise_input_changes found_sides[2] = {
            {(uint32_t *)AT(2, 4 * needed), (uint32_t *)AT(3, 4 * needed), needed, 0, 0, 0},
            {others[0], others[1], most, 0, 0, 0}};
        EXPECT(setwise_mailbox_input_changes(kernel, from, squares, changed, all, found_sides) == SETWISE_STATUS_OK);
        EXPECT(found_sides[0].added_count == added && found_sides[0].removed_count == removed);
        EXPECT(memcmp(found_sides[0].added, right[0], 4 * added) == 0);
        EXPECT(memcmp(found_sides[0].removed, right[1], 4 * removed) == 0);
        EXPECT(found_sides[1].added_count == sides[1].added_count);
        EXPECT(memcmp(others[0], right[2], 4 * sides[1].added_count) == 0);
    }
}

int main(void)
{
    set_up();
    feature_sets();
    records();
    inputs();
    size_t kernels = 0;
    for (const setwise_kernel *kernel; (kernel = setwise_kernel_at(kernels)) != NULL; kernels++)
        guards(kernel);
    EXPECT(kernels >= 3);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
