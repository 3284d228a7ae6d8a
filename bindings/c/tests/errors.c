/* Tests every error of a call: the status, a word of the message, and that nothing was written. */
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum { ROWS = 100 };
static const uint64_t untouched = 0x5a5a5a5a5a5a5a5a;

static int is_untouched(const void *values, size_t bytes)
{
    const unsigned char *byte = (const unsigned char *)values;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != 0x5a)
            return 0;
    return 1;
}

static void kernels(void)
{
    EXPECT(setwise_kernel_find("scalar") == setwise_kernel_at(0));
    EXPECT(strcmp(setwise_kernel_name(setwise_kernel_at(0)), "scalar") == 0);
    EXPECT(strcmp(setwise_kernel_name(NULL), setwise_kernel_name(setwise_kernel_detect())) == 0);
    EXPECT(setwise_kernel_find("avx1024") == NULL && strstr(setwise_error_message(), "avx1024") != NULL);
    EXPECT(setwise_kernel_find(NULL) == NULL && strstr(setwise_error_message(), "null") != NULL);
    EXPECT(setwise_kernel_find("\xff\xfe") == NULL);
    EXPECT(setwise_kernel_at((size_t)-1) == NULL);
}

static void versions(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SETWISE_VERSION_MAJOR, SETWISE_VERSION_MINOR, SETWISE_VERSION_PATCH);
    EXPECT(strcmp(setwise_version_string(), version) == 0);
    EXPECT(setwise_version_number() == SETWISE_VERSION && SETWISE_VERSION >= 1000);
}

static void columns(void)
{
    const int32_t count = setwise_column_count();
    EXPECT(count > 80);
    for (int32_t c = 0; c < count; c++) {
        const setwise_shape shape = setwise_column_shape(c);
        const size_t bytes = setwise_column_value_bytes(c), length = setwise_column_length(c);
        EXPECT(setwise_column_find(setwise_column_name(c)) == c);
        EXPECT(strlen(setwise_column_meaning(c)) > 5);
        EXPECT(bytes == 8 || bytes == 4 || bytes == 2 || bytes == 1);
        EXPECT((shape == SETWISE_SHAPE_LIST) == (length == 0));
        EXPECT((shape == SETWISE_SHAPE_VALUE) == (length == 1));
    }
    const int32_t none[] = {-1, count, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        EXPECT(setwise_column_value_bytes(none[i]) == 0 && setwise_column_meaning(none[i]) == NULL);
        EXPECT(setwise_column_name(none[i]) == NULL && setwise_column_shape(none[i]) == SETWISE_SHAPE_NONE);
        EXPECT(setwise_column_length(none[i]) == 0 && setwise_column_is_nullable(none[i]) == 0);
        EXPECT(setwise_column_needs_feature_set(none[i]) == 0);
    }
    const int32_t threats = setwise_column_find("threats"), features = setwise_column_find("white_features");
    EXPECT(setwise_column_shape(threats) == SETWISE_SHAPE_LIST && setwise_column_value_bytes(threats) == 2);
    EXPECT(setwise_column_shape(features) == SETWISE_SHAPE_LIST && setwise_column_value_bytes(features) == 4);
    EXPECT(setwise_column_is_nullable(features) == 1 && setwise_column_needs_feature_set(features) == 1);
    EXPECT(setwise_column_is_nullable(threats) == 0 && setwise_column_needs_feature_set(threats) == 0);
    EXPECT(setwise_column_needs(setwise_column_find("pinned")) == SETWISE_NEEDS_TURN);
    EXPECT(setwise_column_needs(threats) == SETWISE_NEEDS_PIECES);
    FAILS(setwise_column_find("white_al"), -1, "white_all");
    FAILS(setwise_column_find(""), -1, "column");
    FAILS(setwise_column_find(NULL), -1, "null");
}

static void selections(void)
{
    int32_t chosen[200];
    size_t count = 7;
    memset(chosen, 0x5a, sizeof chosen);
    EXPECT(setwise_column_select("checkers, *_all,white_*", chosen, 200, &count) == SETWISE_STATUS_OK);
    EXPECT(count > 40 && chosen[0] == setwise_column_find("checkers"));
    EXPECT(chosen[1] == setwise_column_find("white_all") && chosen[2] == setwise_column_find("black_all"));
    EXPECT(chosen[3] == setwise_column_find("white_pawn") && is_untouched(&chosen[count], 4));
    EXPECT(setwise_column_select("default", chosen, 16, &count) == SETWISE_STATUS_OK && count == 16);
    FAILS(setwise_column_select("default,checkers", chosen, 16, &count), SETWISE_STATUS_CAPACITY, "17 columns");
    EXPECT(count == 17);
    FAILS(setwise_column_select("all", NULL, 0, &count), SETWISE_STATUS_CAPACITY, "capacity is 0");
    EXPECT(count > 80);
    count = 7;
    FAILS(setwise_column_select("white_al", chosen, 16, &count), SETWISE_STATUS_COLUMN, "white_all");
    FAILS(setwise_column_select("x*", chosen, 16, &count), SETWISE_STATUS_COLUMN, "x*");
    FAILS(setwise_column_select("pinned,pinned", chosen, 16, &count), SETWISE_STATUS_COLUMN, "twice");
    FAILS(setwise_column_select(NULL, chosen, 16, &count), SETWISE_STATUS_NULL, "names");
    FAILS(setwise_column_select("all", NULL, 16, &count), SETWISE_STATUS_NULL, "columns");
    FAILS(setwise_column_select("all", chosen, 16, NULL), SETWISE_STATUS_NULL, "count");
    FAILS(setwise_column_select("all", (int32_t *)&count, 1, &count), SETWISE_STATUS_OVERLAP, "count");
    FAILS(setwise_column_select("all", (int32_t *)((char *)chosen + 1), 16, &count), SETWISE_STATUS_UNALIGNED, "columns");
    FAILS(setwise_column_select("all", chosen, 16, (size_t *)((char *)&count + 4)), SETWISE_STATUS_UNALIGNED, "count");
    EXPECT(count == 7);
}

static void positions(void)
{
    setwise_fen fen;
    memset(&fen, 0x5a, sizeof fen);
    size_t column = 7;
    const char *text = "8/8/8/8/8/8/8/8 w - e4 0 1";
    FAILS(setwise_fen_parse(text, strlen(text), &fen, &column), SETWISE_STATUS_FEN, "en passant");
    EXPECT(column == 22 && is_untouched(&fen, sizeof fen));
    FAILS(setwise_fen_parse(text, strlen(text), &fen, NULL), SETWISE_STATUS_FEN, "column 22");
    FAILS(setwise_fen_parse("", 0, &fen, &column), SETWISE_STATUS_FEN, "column 1");
    FAILS(setwise_fen_parse(NULL, 0, &fen, &column), SETWISE_STATUS_FEN, "column 1");
    FAILS(setwise_fen_parse(NULL, 5, &fen, &column), SETWISE_STATUS_NULL, "null");
    FAILS(setwise_fen_parse(text, (size_t)-1, &fen, &column), SETWISE_STATUS_SIZE, "memory");
    FAILS(setwise_fen_parse(text, 5, NULL, &column), SETWISE_STATUS_NULL, "null");
    text = "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 4 31\r\n";
    EXPECT(setwise_fen_parse(text, strlen(text), &fen, &column) == SETWISE_STATUS_OK && column == 0);
    EXPECT(fen.pieces.rooks == 1 && fen.turn == SETWISE_WHITE && fen.castling_white == 1 && fen.castling_black == 0);
    EXPECT(fen.en_passant == 43 && fen.halfmove_clock == 4 && fen.fullmove_number == 31);
    text = "4k3/8/8/8/8/8/8/4K3 b - -";
    EXPECT(setwise_fen_parse(text, strlen(text), &fen, NULL) == SETWISE_STATUS_OK);
    EXPECT(fen.en_passant == SETWISE_NO_SQUARE && fen.turn == SETWISE_BLACK && fen.fullmove_number == 1);

    const uint64_t white[6] = {0xff00, 0x42, 0x24, 0x81, 0x08, 0x10};
    uint64_t black[6];
    uint8_t mailbox[64] = {0};
    for (int role = 0; role < 6; role++) {
        black[role] = white[role] << (role == 0 ? 40 : 56);
        for (int square = 0; square < 64; square++) {
            if (white[role] >> square & 1)
                mailbox[square] = (uint8_t)(role + 1);
            if (black[role] >> square & 1)
                mailbox[square] = (uint8_t)(role + 9);
        }
    }
    setwise_pieces start, boards, boxes;
    text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    EXPECT(setwise_fen_parse(text, strlen(text), &fen, NULL) == SETWISE_STATUS_OK);
    start = fen.pieces;
    EXPECT(setwise_pieces_from_bitboards(white, black, &boards) == SETWISE_STATUS_OK);
    EXPECT(setwise_pieces_from_mailbox(mailbox, &boxes) == SETWISE_STATUS_OK);
    EXPECT(memcmp(&start, &boards, sizeof start) == 0 && memcmp(&start, &boxes, sizeof start) == 0);
    /* Colour in the lowest bit, 12 for an empty square. */
    uint8_t own[12], mine[64], codes[64];
    setwise_code_map map;
    for (int i = 0; i < 12; i++)
        own[i] = (uint8_t)(i < 6 ? 2 * i : 2 * (i - 6) + 1);
    for (int square = 0; square < 64; square++)
        mine[square] = mailbox[square] == 0 ? 12 : own[mailbox[square] < 8 ? mailbox[square] - 1 : mailbox[square] - 3];
    EXPECT(setwise_code_map_init(own, &map) == SETWISE_STATUS_OK);
    EXPECT(map.codes[0] == 1 && map.codes[1] == 9 && map.codes[11] == 14 && map.codes[12] == 0);
    EXPECT(setwise_mailbox_codes(NULL, &map, mine, codes) == SETWISE_STATUS_OK);
    EXPECT(memcmp(codes, mailbox, sizeof codes) == 0);
    FAILS(setwise_mailbox_codes(NULL, &map, mine, mine), SETWISE_STATUS_OVERLAP, "mailbox");
    FAILS(setwise_mailbox_codes(NULL, NULL, mine, codes), SETWISE_STATUS_NULL, "`map` is null, expected 1 value");
    FAILS(setwise_mailbox_codes(NULL, &map, NULL, codes), SETWISE_STATUS_NULL, "`mailbox` is null, expected 64 values");
    own[11] = own[0];
    FAILS(setwise_code_map_init(own, &map), SETWISE_STATUS_PIECE, "expected twelve different bytes from 0 to 15, found 0 twice");
    own[11] = 16;
    FAILS(setwise_code_map_init(own, &map), SETWISE_STATUS_PIECE, "0 to 15, found 16");

    FAILS(setwise_pieces_from_bitboards(white, NULL, &boards), SETWISE_STATUS_NULL, "null");
    FAILS(setwise_pieces_from_bitboards(NULL, black, &boards), SETWISE_STATUS_NULL, "null");
    FAILS(setwise_pieces_from_bitboards(white, black, NULL), SETWISE_STATUS_NULL, "null");
    FAILS(setwise_pieces_from_bitboards(white, (const uint64_t *)((const char *)black + 4), &boards),
          SETWISE_STATUS_UNALIGNED, "black");
    FAILS(setwise_pieces_from_bitboards(white, black, (setwise_pieces *)((char *)&boards + 4)),
          SETWISE_STATUS_UNALIGNED, "pieces");
    FAILS(setwise_pieces_from_bitboards(white, black, (setwise_pieces *)black), SETWISE_STATUS_OVERLAP, "overlap");
    FAILS(setwise_pieces_from_bitboards((const uint64_t *)((const char *)white + 1), black, &boards),
          SETWISE_STATUS_UNALIGNED, "white");
    uint64_t both[13] = {0};
    FAILS(setwise_pieces_from_bitboards(both + 5, black, (setwise_pieces *)both), SETWISE_STATUS_OVERLAP, "white");
    FAILS(setwise_pieces_from_mailbox(mailbox, (setwise_pieces *)((char *)&boxes + 1)), SETWISE_STATUS_UNALIGNED, "pieces");
    FAILS(setwise_fen_parse(text, strlen(text), &fen, (size_t *)((char *)both + 4)), SETWISE_STATUS_UNALIGNED,
          "error_column");
    FAILS(setwise_fen_parse((const char *)both + 7, 20, &fen, (size_t *)both), SETWISE_STATUS_OVERLAP, "text");
    FAILS(setwise_fen_parse((const char *)both + 7, 20, (setwise_fen *)both, NULL), SETWISE_STATUS_OVERLAP, "text");
    for (size_t i = 0; i < 13; i++)
        EXPECT(both[i] == 0);
    FAILS(setwise_fen_parse(text, strlen(text), (setwise_fen *)((char *)&fen + 2), NULL), SETWISE_STATUS_UNALIGNED,
          "fen");
    FAILS(setwise_fen_parse(text, strlen(text), &fen, (size_t *)(void *)&fen), SETWISE_STATUS_OVERLAP, "fen");
    FAILS(setwise_pieces_from_mailbox(mailbox, (setwise_pieces *)mailbox), SETWISE_STATUS_OVERLAP, "mailbox");
    FAILS(setwise_pieces_from_mailbox(NULL, &boxes), SETWISE_STATUS_NULL, "null");
    FAILS(setwise_pieces_from_mailbox(mailbox, NULL), SETWISE_STATUS_NULL, "null");
    const uint8_t wrong[] = {7, 8, 15, 255};
    for (size_t i = 0; i < sizeof wrong; i++) {
        mailbox[35] = wrong[i];
        memset(&boxes, 0x5a, sizeof boxes);
        FAILS(setwise_pieces_from_mailbox(mailbox, &boxes), SETWISE_STATUS_PIECE, "square 35");
        EXPECT(is_untouched(&boxes, sizeof boxes));
    }

    /* Functions without a status accept any arguments. */
    setwise_both_maps none = setwise_pieces_attacks(NULL, NULL);
    EXPECT(none.white.all == 0 && none.black.all == 0 && setwise_pieces_checkers(NULL, NULL, SETWISE_WHITE) == 0);
    EXPECT(setwise_pieces_pinned(NULL, &start, 77) == 0);
    EXPECT(setwise_pieces_king_danger(NULL, &start, 200) == setwise_pieces_king_danger(NULL, &start, SETWISE_BLACK));
    text = "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - -";
    EXPECT(setwise_fen_parse(text, strlen(text), &fen, NULL) == SETWISE_STATUS_OK);
    const setwise_state white_moves = {SETWISE_WHITE, 0, 0, SETWISE_NO_SQUARE}, black_moves = {200, 0, 0, 255};
    EXPECT(setwise_pieces_legal_count(NULL, &fen.pieces, white_moves) == 16 + 2);
    EXPECT(setwise_pieces_legal_count(NULL, &fen.pieces, black_moves) == 5);
    EXPECT(setwise_rook_attacks(64, 0) == 0 && setwise_bishop_attacks(255, 0) == 0 && setwise_queen_attacks(64, 0) == 0);
    EXPECT(setwise_squares_between(64, 0) == 0 && setwise_squares_between(0, 200) == 0 && setwise_squares_line_through(64, 0) == 0);
    EXPECT(setwise_squares_line_through(0, 64) == 0 && setwise_squares_between(0, 3) == 6 && setwise_squares_line_through(0, 3) == 0xff);
}

static void fill(void)
{
    static setwise_pieces rows[ROWS];
    static uint64_t column[8][ROWS];
    static uint8_t turns[ROWS];
    static uint64_t boards[ROWS + 1];
    static uint16_t numbers[ROWS + 1];
    const int32_t all = setwise_column_find("white_all"), mobility = setwise_column_find("black_mobility_rook");
    const int32_t checkers = setwise_column_find("checkers");
    memset(boards, 0x5a, sizeof boards);
    memset(numbers, 0x5a, sizeof numbers);

    setwise_positions from;
    memset(&from, 0, sizeof from);
    from.count = ROWS;
    from.rows = rows;
    setwise_buffer good[2], to[2];
    memset(good, 0, sizeof good);
    good[0].column = all, good[0].values = boards, good[0].bytes = sizeof(uint64_t) * ROWS;
    good[1].column = mobility, good[1].values = numbers, good[1].bytes = sizeof(uint16_t) * ROWS;
#define RESET() memcpy(to, good, sizeof to)
#define FILL_FAILS(expected, word)                                                                                     \
    do {                                                                                                               \
        FAILS(setwise_positions_fill(NULL, &from, to, 2), expected, word);                                                       \
        EXPECT(is_untouched(boards, sizeof boards) && is_untouched(numbers, sizeof numbers));                          \
        RESET();                                                                                                       \
    } while (0)

    RESET();
    FAILS(setwise_positions_fill(NULL, NULL, to, 2), SETWISE_STATUS_NULL, "positions");
    FAILS(setwise_positions_fill(NULL, (const setwise_positions *)((const char *)&from + 1), to, 2),
          SETWISE_STATUS_UNALIGNED, "positions");
    FAILS(setwise_positions_fill(NULL, &from, NULL, 2), SETWISE_STATUS_NULL, "buffers");
    FAILS(setwise_positions_fill(NULL, &from, to, 100000), SETWISE_STATUS_COLUMN, "100000");
    EXPECT(setwise_positions_fill(NULL, &from, NULL, 0) == SETWISE_STATUS_OK);
    to[1].column = -1;
    FILL_FAILS(SETWISE_STATUS_COLUMN, "-1");
    to[1].column = 1 << 20;
    FILL_FAILS(SETWISE_STATUS_COLUMN, "number");
    to[1] = to[0];
    FILL_FAILS(SETWISE_STATUS_COLUMN, "twice");
    to[1].values = NULL;
    FILL_FAILS(SETWISE_STATUS_NULL, "black_mobility_rook");
    to[0].values = (char *)boards + 4;
    FILL_FAILS(SETWISE_STATUS_UNALIGNED, "white_all");
    to[0].bytes -= 8;
    FILL_FAILS(SETWISE_STATUS_SIZE, "792 bytes");
    to[0].bytes = 0;
    FILL_FAILS(SETWISE_STATUS_SIZE, "100 positions");
    to[0].column = mobility, to[1].column = all; /* types swapped */
    FILL_FAILS(SETWISE_STATUS_SIZE, "2 each");
    to[1].values = boards + 1;
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "white_all");
    to[0].values = rows;
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "rows");
    to[0].values = to;
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "white_all");
    to[0].column = checkers;
    FILL_FAILS(SETWISE_STATUS_STATE, "turns");
    to[0].validity = (uint8_t *)boards;
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "validity");
    from.count = (size_t)-1 / 8;
    FILL_FAILS(SETWISE_STATUS_SIZE, "rows");
    from.count = ROWS;
    from.rows = (const setwise_pieces *)((const char *)rows + 1);
    FILL_FAILS(SETWISE_STATUS_UNALIGNED, "rows");
    from.rows = NULL;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            from.columns[j] = i == j ? NULL : column[j];
        FILL_FAILS(SETWISE_STATUS_NULL, "is null");
    }
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            from.columns[j] = (const uint64_t *)((const char *)column[j] + (i == j));
        FILL_FAILS(SETWISE_STATUS_UNALIGNED, "aligned");
    }
    for (int j = 0; j < 8; j++)
        from.columns[j] = column[j];
    FAILS(setwise_positions_fill(NULL, &from, (setwise_buffer *)((char *)to + 1), 1), SETWISE_STATUS_UNALIGNED, "buffers");
    to[0].values = &from;
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "positions");
    from.castling_white = (const uint8_t *)&boards[3];
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "castling_white");
    from.castling_white = NULL, from.castling_black = (const uint8_t *)&numbers[3];
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "castling_black");
    from.castling_black = NULL, from.en_passant = (const uint8_t *)&boards[ROWS - 1];
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "en_passant");
    from.en_passant = NULL;
    to[0].values = column[3];
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "rooks");
    from.turns = (const uint8_t *)boards;
    FILL_FAILS(SETWISE_STATUS_OVERLAP, "turns");
    from.turns = turns;
    to[0].column = checkers;
    uint8_t valid[ROWS];
    memset(valid, 0x5a, sizeof valid);
    to[1].validity = valid;
    EXPECT(setwise_positions_fill(NULL, &from, to, 2) == SETWISE_STATUS_OK);
    EXPECT(valid[0] == 1 && valid[ROWS - 1] == 1);
    RESET();
    to[0].column = checkers;
    EXPECT(boards[0] == 0 && boards[ROWS - 1] == 0 && boards[ROWS] == untouched);
    EXPECT(numbers[0] == 0 && numbers[ROWS - 1] == 0 && numbers[ROWS] == (uint16_t)untouched);

    /* No rows: nothing is read. */
    memset(&from, 0, sizeof from);
    to[0].bytes = to[1].bytes = 0;
    to[0].values = to[1].values = NULL;
    to[0].column = all;
    EXPECT(setwise_positions_fill(NULL, &from, to, 2) == SETWISE_STATUS_OK);
}

static void sliders(void)
{
    static uint64_t occupied[ROWS], rooks[ROWS], bishops[ROWS], attacks[ROWS], rays[8][ROWS];
    uint64_t *to[8];
    for (int i = 0; i < 8; i++)
        to[i] = rays[i];
    memset(attacks, 0x5a, sizeof attacks);
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, rooks, bishops, NULL, attacks), SETWISE_STATUS_NULL, "occupied");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, NULL, bishops, occupied, attacks), SETWISE_STATUS_NULL, "orthogonal");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, rooks, NULL, occupied, attacks), SETWISE_STATUS_NULL, "diagonal");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, rooks, bishops, occupied, NULL), SETWISE_STATUS_NULL, "attacks");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, rooks, bishops, occupied, rooks), SETWISE_STATUS_OVERLAP, "orthogonal");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, rooks, bishops, occupied, occupied + 1), SETWISE_STATUS_OVERLAP, "occupied");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS, rooks, bishops, occupied, bishops), SETWISE_STATUS_OVERLAP, "diagonal");
#define ODD(sets) ((uint64_t *)((char *)(sets) + 1))
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS - 1, ODD(rooks), bishops, occupied, attacks), SETWISE_STATUS_UNALIGNED, "orthogonal");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS - 1, rooks, ODD(bishops), occupied, attacks), SETWISE_STATUS_UNALIGNED, "diagonal");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS - 1, rooks, bishops, ODD(occupied), attacks), SETWISE_STATUS_UNALIGNED, "occupied");
    FAILS(setwise_sliders_fill_attacks(NULL, ROWS - 1, rooks, bishops, occupied, ODD(attacks)), SETWISE_STATUS_UNALIGNED, "attacks");
    FAILS(setwise_sliders_fill_attacks(NULL, (size_t)1 << 61, rooks, bishops, occupied, attacks), SETWISE_STATUS_SIZE, "memory");
    EXPECT(is_untouched(attacks, sizeof attacks));
    EXPECT(setwise_sliders_fill_attacks(NULL, 0, NULL, NULL, NULL, NULL) == SETWISE_STATUS_OK);
    FAILS(setwise_sliders_fill_rays(NULL, ROWS, rooks, bishops, occupied, NULL), SETWISE_STATUS_NULL, "rays");
    to[7] = to[2];
    FAILS(setwise_sliders_fill_rays(NULL, ROWS, rooks, bishops, occupied, to), SETWISE_STATUS_OVERLAP, "rays");
    to[7] = NULL;
    FAILS(setwise_sliders_fill_rays(NULL, ROWS, rooks, bishops, occupied, to), SETWISE_STATUS_NULL, "rays");
    to[7] = ODD(rays[7]);
    FAILS(setwise_sliders_fill_rays(NULL, ROWS - 1, rooks, bishops, occupied, to), SETWISE_STATUS_UNALIGNED, "rays");
    to[7] = bishops;
    FAILS(setwise_sliders_fill_rays(NULL, ROWS, rooks, bishops, occupied, to), SETWISE_STATUS_OVERLAP, "diagonal");
    to[7] = (uint64_t *)to;
    FAILS(setwise_sliders_fill_rays(NULL, 8, rooks, bishops, occupied, to), SETWISE_STATUS_OVERLAP, "rays");
    FAILS(setwise_sliders_fill_rays(NULL, ROWS, rooks, bishops, occupied, (uint64_t *const *)ODD(to)), SETWISE_STATUS_UNALIGNED, "rays");
    to[7] = rays[7];
    rooks[99] = 1;
    EXPECT(setwise_sliders_fill_rays(NULL, ROWS, rooks, bishops, occupied, to) == SETWISE_STATUS_OK);
    EXPECT(rays[0][99] == 0x0101010101010100 && rays[2][99] == 0xfe && rays[7][99] == 0);
}

static void threats(void)
{
    static setwise_pieces rows[ROWS];
    static size_t offsets[ROWS + 1];
    static setwise_threat list[41 * ROWS];
    setwise_fen fen;
    const char *text = "4k3/8/8/3p4/4P3/8/8/4R1K1 w - - 0 1"; /* e1-g1, e1-e4, e4-d5, d5-e4 */
    EXPECT(setwise_fen_parse(text, strlen(text), &fen, NULL) == SETWISE_STATUS_OK);
    memset(list, 0x5a, sizeof list);
    EXPECT(setwise_pieces_threats(NULL, &fen.pieces, list, 3) == 4);
    EXPECT(list[2].from < 64 && list[3].from == 0x5a);
    EXPECT(setwise_pieces_threats(NULL, &fen.pieces, list, SETWISE_MAX_THREATS) == 4);
    unsigned found = 0;
    for (int i = 0; i < 4; i++)
        found |= (list[i].from == 4 && list[i].to == 6) | (list[i].from == 4 && list[i].to == 28) << 1 |
                 (list[i].from == 28 && list[i].to == 35) << 2 | (list[i].from == 35 && list[i].to == 28) << 3;
    EXPECT(found == 15 && list[4].from == 0x5a);
    EXPECT(setwise_pieces_threats(NULL, &fen.pieces, NULL, 100) == 4 && setwise_pieces_threats(NULL, NULL, list, 9) == 0);

    for (int i = 0; i < ROWS; i++)
        rows[i] = fen.pieces;
    memset(&rows[50], 0, sizeof rows[50]); /* no kings */
    setwise_positions from;
    memset(&from, 0, sizeof from);
    from.count = ROWS;
    from.rows = rows;
    enum { LIST = 4 * (ROWS - 1) };
    static uint16_t values[LIST + 1];
    memset(values, 0x5a, sizeof values);
    setwise_buffer good, to;
    memset(&good, 0, sizeof good);
    good.column = setwise_column_find("threats");
    good.values = values;
    good.bytes = LIST * sizeof *values;
    good.offsets = offsets;
    to = good;
    EXPECT(setwise_positions_fill(NULL, &from, &to, 1) == SETWISE_STATUS_OK);
    EXPECT(offsets[0] == 0 && offsets[1] == 4 && offsets[50] == 200 && offsets[51] == 200 && offsets[ROWS] == LIST);
    EXPECT(values[0] == list[0].from + 256 * list[0].to && values[LIST - 1] == values[3]);
    EXPECT(is_untouched(&values[LIST], sizeof *values));
    to.bytes += sizeof *values; /* more than is needed */
    EXPECT(setwise_positions_fill(NULL, &from, &to, 1) == SETWISE_STATUS_OK);
    EXPECT(is_untouched(&values[LIST], sizeof *values));
    to.bytes -= 2 * sizeof *values;
    memset(offsets, 0, sizeof offsets);
    FAILS(setwise_positions_fill(NULL, &from, &to, 1), SETWISE_STATUS_CAPACITY, "396 values, but the buffer holds 395");
    EXPECT(offsets[ROWS] == LIST);
    to.values = NULL, to.bytes = 0;
    memset(offsets, 0, sizeof offsets);
    FAILS(setwise_positions_fill(NULL, &from, &to, 1), SETWISE_STATUS_CAPACITY, "holds 0");
    EXPECT(offsets[1] == 4 && offsets[ROWS] == LIST);
#define LIST_FAILS(expected, word)                                                                                     \
    do {                                                                                                               \
        FAILS(setwise_positions_fill(NULL, &from, &to, 1), expected, word);                                            \
        to = good;                                                                                                     \
    } while (0)
    memset(values, 0x5a, sizeof values);
    to = good;
    to.offsets = NULL;
    LIST_FAILS(SETWISE_STATUS_NULL, "offsets");
    to.values = NULL;
    LIST_FAILS(SETWISE_STATUS_NULL, "threats");
    to.values = rows;
    LIST_FAILS(SETWISE_STATUS_OVERLAP, "rows");
    to.values = offsets;
    LIST_FAILS(SETWISE_STATUS_OVERLAP, "offsets");
    to.offsets = (size_t *)((char *)offsets + 1);
    LIST_FAILS(SETWISE_STATUS_UNALIGNED, "offsets");
    to.values = (char *)values + 1;
    LIST_FAILS(SETWISE_STATUS_UNALIGNED, "threats");
    to.offsets = (size_t *)(void *)&from;
    LIST_FAILS(SETWISE_STATUS_OVERLAP, "positions");
    to.validity = (uint8_t *)offsets;
    LIST_FAILS(SETWISE_STATUS_OVERLAP, "offsets");
    to.validity = (uint8_t *)rows;
    LIST_FAILS(SETWISE_STATUS_OVERLAP, "rows");
    to.column = setwise_column_find("white_features");
    LIST_FAILS(SETWISE_STATUS_FEATURE_SET, "feature_set");
    EXPECT(is_untouched(values, sizeof values));

    static uint32_t inputs[8 * ROWS];
    uint8_t valid[ROWS];
    memset(valid, 0x5a, sizeof valid);
    to.column = setwise_column_find("white_features");
    to.feature_set = setwise_feature_set_find("stockfish-threats-2026-08");
    to.values = inputs;
    to.bytes = sizeof inputs;
    to.validity = valid;
    EXPECT(setwise_positions_fill(NULL, &from, &to, 1) == SETWISE_STATUS_OK);
    EXPECT(valid[0] == 1 && valid[49] == 1 && valid[50] == 0 && valid[51] == 1);
    EXPECT(offsets[1] > 0 && offsets[1] < 8 && offsets[51] == 50 * offsets[1] && offsets[ROWS] == 99 * offsets[1]);
    EXPECT(inputs[0] < setwise_feature_set_inputs(to.feature_set) && inputs[0] == inputs[offsets[51]]);

    /* No rows: one offset. */
    from.count = 0;
    from.rows = NULL;
    to = good;
    to.values = NULL, to.bytes = 0;
    offsets[0] = 7;
    EXPECT(setwise_positions_fill(NULL, &from, &to, 1) == SETWISE_STATUS_OK && offsets[0] == 0);
    to.column = setwise_column_find("legal_moves");
    offsets[0] = 7;
    EXPECT(setwise_positions_fill(NULL, &from, &to, 1) == SETWISE_STATUS_OK && offsets[0] == 0);
    setwise_successors none;
    memset(&none, 0, sizeof none);
    none.offsets = offsets;
    offsets[0] = 7;
    EXPECT(setwise_positions_successors(NULL, &from, &none) == SETWISE_STATUS_OK && offsets[0] == 0);
}

int main(void)
{
    EXPECT(setwise_error_message()[0] == '\0');
    versions();
    kernels();
    columns();
    selections();
    positions();
    fill();
    sliders();
    threats();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
