/* Every way in which a call can fail: the status, a word of the text, and that nothing was written. */
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int line, int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "line %d: %s (the last error: %s)\n", line, what, setwise_error());
        failures++;
    }
}
#define EXPECT(right) expect(__LINE__, (right), #right)
#define FAILS(call, expected, word) EXPECT((call) == (expected) && strstr(setwise_error(), (word)) != NULL)

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
    EXPECT(setwise_kernel_by_name("scalar") == setwise_kernel_at(0));
    EXPECT(strcmp(setwise_kernel_name(setwise_kernel_at(0)), "scalar") == 0);
    EXPECT(strcmp(setwise_kernel_name(NULL), setwise_kernel_name(setwise_kernel_detect())) == 0);
    EXPECT(setwise_kernel_by_name("avx1024") == NULL && strstr(setwise_error(), "avx1024") != NULL);
    EXPECT(setwise_kernel_by_name(NULL) == NULL && strstr(setwise_error(), "null") != NULL);
    EXPECT(setwise_kernel_by_name("\xff\xfe") == NULL);
    EXPECT(setwise_kernel_at((size_t)-1) == NULL);
}

static void columns(void)
{
    int count = 0;
    while (setwise_column_name(count) != NULL) {
        EXPECT(setwise_column(setwise_column_name(count)) == count);
        EXPECT(strlen(setwise_column_meaning(count)) > 5);
        EXPECT(setwise_column_bytes(count) == 8 || setwise_column_bytes(count) == 2);
        count++;
    }
    EXPECT(count > 40);
    const int32_t none[] = {-1, count, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        EXPECT(setwise_column_bytes(none[i]) == 0 && setwise_column_meaning(none[i]) == NULL);
    FAILS(setwise_column("white_al"), -1, "white_all");
    FAILS(setwise_column(""), -1, "column");
    FAILS(setwise_column(NULL), -1, "null");
}

static void positions(void)
{
    setwise_fen fen;
    memset(&fen, 0x5a, sizeof fen);
    size_t column = 7;
    const char *text = "8/8/8/8/8/8/8/8 w - e4 0 1";
    FAILS(setwise_parse_fen(text, strlen(text), &fen, &column), SETWISE_FEN, "en passant");
    EXPECT(column == 22 && is_untouched(&fen, sizeof fen));
    FAILS(setwise_parse_fen(text, strlen(text), &fen, NULL), SETWISE_FEN, "column 22");
    FAILS(setwise_parse_fen("", 0, &fen, &column), SETWISE_FEN, "column 1");
    FAILS(setwise_parse_fen(NULL, 5, &fen, &column), SETWISE_NULL, "null");
    FAILS(setwise_parse_fen(text, (size_t)-1, &fen, &column), SETWISE_SIZE, "bytes");
    FAILS(setwise_parse_fen(text, 5, NULL, &column), SETWISE_NULL, "null");
    text = "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 4 31\r\n";
    EXPECT(setwise_parse_fen(text, strlen(text), &fen, &column) == SETWISE_OK && column == 0);
    EXPECT(fen.pieces.rooks == 1 && fen.turn == SETWISE_WHITE && fen.castling_white == 1 && fen.castling_black == 0);
    EXPECT(fen.en_passant == 43 && fen.halfmove_clock == 4 && fen.fullmove_number == 31);
    text = "4k3/8/8/8/8/8/8/4K3 b - -";
    EXPECT(setwise_parse_fen(text, strlen(text), &fen, NULL) == SETWISE_OK);
    EXPECT(fen.en_passant == 64 && fen.turn == SETWISE_BLACK && fen.fullmove_number == 1);

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
    EXPECT(setwise_parse_fen(text, strlen(text), &fen, NULL) == SETWISE_OK);
    start = fen.pieces;
    EXPECT(setwise_from_bitboards(white, black, &boards) == SETWISE_OK);
    EXPECT(setwise_from_mailbox(mailbox, &boxes) == SETWISE_OK);
    EXPECT(memcmp(&start, &boards, sizeof start) == 0 && memcmp(&start, &boxes, sizeof start) == 0);
    FAILS(setwise_from_bitboards(white, NULL, &boards), SETWISE_NULL, "null");
    FAILS(setwise_from_bitboards(NULL, black, &boards), SETWISE_NULL, "null");
    FAILS(setwise_from_bitboards(white, black, NULL), SETWISE_NULL, "null");
    FAILS(setwise_from_mailbox(NULL, &boxes), SETWISE_NULL, "null");
    FAILS(setwise_from_mailbox(mailbox, NULL), SETWISE_NULL, "null");
    const uint8_t wrong[] = {7, 8, 15, 255};
    for (size_t i = 0; i < sizeof wrong; i++) {
        mailbox[35] = wrong[i];
        memset(&boxes, 0x5a, sizeof boxes);
        FAILS(setwise_from_mailbox(mailbox, &boxes), SETWISE_PIECE, "square 35");
        EXPECT(is_untouched(&boxes, sizeof boxes));
    }

    /* Functions without a status take what comes. */
    setwise_both_maps none = setwise_attacks(NULL, NULL);
    EXPECT(none.white.all == 0 && none.black.all == 0 && setwise_checkers(NULL, NULL, SETWISE_WHITE) == 0);
    EXPECT(setwise_pinned(NULL, &start, 77) == 0);
    EXPECT(setwise_king_danger(NULL, &start, 200) == setwise_king_danger(NULL, &start, SETWISE_BLACK));
    EXPECT(setwise_rook_attacks(64, 0) == 0 && setwise_bishop_attacks(255, 0) == 0 && setwise_queen_attacks(64, 0) == 0);
    EXPECT(setwise_between(64, 0) == 0 && setwise_between(0, 200) == 0 && setwise_line(64, 0) == 0);
    EXPECT(setwise_line(0, 64) == 0 && setwise_between(0, 3) == 6 && setwise_line(0, 3) == 0xff);
}

static void fill(void)
{
    static setwise_pieces rows[ROWS];
    static uint64_t column[8][ROWS];
    static uint8_t turns[ROWS];
    static uint64_t boards[ROWS + 1];
    static uint16_t numbers[ROWS + 1];
    const int32_t all = setwise_column("white_all"), mobility = setwise_column("black_mobility_rook");
    const int32_t checkers = setwise_column("checkers");
    memset(boards, 0x5a, sizeof boards);
    memset(numbers, 0x5a, sizeof numbers);

    setwise_positions from;
    memset(&from, 0, sizeof from);
    from.count = ROWS;
    from.rows = rows;
    setwise_buffer good[2] = {{all, boards, sizeof(uint64_t) * ROWS}, {mobility, numbers, sizeof(uint16_t) * ROWS}};
    setwise_buffer to[2];
#define RESET() memcpy(to, good, sizeof to)
#define FILL_FAILS(expected, word)                                                                                     \
    do {                                                                                                               \
        FAILS(setwise_fill(NULL, &from, to, 2), expected, word);                                                       \
        EXPECT(is_untouched(boards, sizeof boards) && is_untouched(numbers, sizeof numbers));                          \
        RESET();                                                                                                       \
    } while (0)

    RESET();
    FAILS(setwise_fill(NULL, NULL, to, 2), SETWISE_NULL, "positions");
    FAILS(setwise_fill(NULL, &from, NULL, 2), SETWISE_NULL, "buffers");
    FAILS(setwise_fill(NULL, &from, to, 100000), SETWISE_COLUMN, "100000");
    EXPECT(setwise_fill(NULL, &from, NULL, 0) == SETWISE_OK);
    to[1].column = -1;
    FILL_FAILS(SETWISE_COLUMN, "-1");
    to[1].column = 1 << 20;
    FILL_FAILS(SETWISE_COLUMN, "number");
    to[1] = to[0];
    FILL_FAILS(SETWISE_COLUMN, "twice");
    to[1].values = NULL;
    FILL_FAILS(SETWISE_NULL, "black_mobility_rook");
    to[0].values = (char *)boards + 4;
    FILL_FAILS(SETWISE_UNALIGNED, "white_all");
    to[0].bytes -= 8;
    FILL_FAILS(SETWISE_SIZE, "792 bytes");
    to[0].bytes = 0;
    FILL_FAILS(SETWISE_SIZE, "100 positions");
    to[0].column = mobility, to[1].column = all; /* types exchanged */
    FILL_FAILS(SETWISE_SIZE, "2 each");
    to[1].values = boards + 1;
    FILL_FAILS(SETWISE_OVERLAP, "white_all");
    to[0].values = rows;
    FILL_FAILS(SETWISE_OVERLAP, "rows");
    to[0].values = to;
    FILL_FAILS(SETWISE_OVERLAP, "buffers");
    to[0].column = checkers;
    FILL_FAILS(SETWISE_TURNS, "checkers");
    from.count = (size_t)-1 / 8;
    FILL_FAILS(SETWISE_SIZE, "rows");
    from.count = ROWS;
    from.rows = (const setwise_pieces *)((const char *)rows + 1);
    FILL_FAILS(SETWISE_UNALIGNED, "rows");
    from.rows = NULL;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            from.columns[j] = i == j ? NULL : column[j];
        FILL_FAILS(SETWISE_NULL, "is null");
    }
    for (int j = 0; j < 8; j++)
        from.columns[j] = column[j];
    to[0].values = column[3];
    FILL_FAILS(SETWISE_OVERLAP, "rooks");
    from.turns = turns;
    to[0].column = checkers;
    EXPECT(setwise_fill(NULL, &from, to, 2) == SETWISE_OK);
    EXPECT(boards[0] == 0 && boards[ROWS - 1] == 0 && boards[ROWS] == untouched);
    EXPECT(numbers[0] == 0 && numbers[ROWS - 1] == 0 && numbers[ROWS] == (uint16_t)untouched);

    /* No rows: nothing is looked at. */
    memset(&from, 0, sizeof from);
    to[0].bytes = to[1].bytes = 0;
    to[0].values = to[1].values = NULL;
    to[0].column = all;
    EXPECT(setwise_fill(NULL, &from, to, 2) == SETWISE_OK);
}

static void sliders(void)
{
    static uint64_t occupied[ROWS], rooks[ROWS], bishops[ROWS], attacks[ROWS], rays[8][ROWS];
    uint64_t *to[8];
    for (int i = 0; i < 8; i++)
        to[i] = rays[i];
    memset(attacks, 0x5a, sizeof attacks);
    FAILS(setwise_slider_attacks_bulk(NULL, ROWS, rooks, bishops, NULL, attacks), SETWISE_NULL, "occupied");
    FAILS(setwise_slider_attacks_bulk(NULL, ROWS, NULL, bishops, occupied, attacks), SETWISE_NULL, "orthogonal");
    FAILS(setwise_slider_attacks_bulk(NULL, ROWS, rooks, NULL, occupied, attacks), SETWISE_NULL, "diagonal");
    FAILS(setwise_slider_attacks_bulk(NULL, ROWS, rooks, bishops, occupied, NULL), SETWISE_NULL, "attacks");
    FAILS(setwise_slider_attacks_bulk(NULL, ROWS, rooks, bishops, occupied, rooks), SETWISE_OVERLAP, "orthogonal");
    FAILS(setwise_slider_attacks_bulk(NULL, (size_t)1 << 61, rooks, bishops, occupied, attacks), SETWISE_SIZE, "room");
    EXPECT(is_untouched(attacks, sizeof attacks));
    EXPECT(setwise_slider_attacks_bulk(NULL, 0, NULL, NULL, NULL, NULL) == SETWISE_OK);
    FAILS(setwise_slider_rays_bulk(NULL, ROWS, rooks, bishops, occupied, NULL), SETWISE_NULL, "rays");
    to[7] = to[2];
    FAILS(setwise_slider_rays_bulk(NULL, ROWS, rooks, bishops, occupied, to), SETWISE_OVERLAP, "rays");
    to[7] = NULL;
    FAILS(setwise_slider_rays_bulk(NULL, ROWS, rooks, bishops, occupied, to), SETWISE_NULL, "rays");
    to[7] = rays[7];
    rooks[99] = 1;
    EXPECT(setwise_slider_rays_bulk(NULL, ROWS, rooks, bishops, occupied, to) == SETWISE_OK);
    EXPECT(rays[0][99] == 0x0101010101010100 && rays[2][99] == 0xfe && rays[7][99] == 0);
}

static void threats(void)
{
    static setwise_pieces rows[ROWS];
    static size_t offsets[ROWS + 1];
    static setwise_threat list[41 * ROWS];
    setwise_fen fen;
    const char *text = "4k3/8/8/3p4/4P3/8/8/4R1K1 w - - 0 1"; /* e1-g1, e1-e4, e4-d5, d5-e4 */
    EXPECT(setwise_parse_fen(text, strlen(text), &fen, NULL) == SETWISE_OK);
    memset(list, 0x5a, sizeof list);
    EXPECT(setwise_threats(NULL, &fen.pieces, list, 3) == 4);
    EXPECT(list[2].from < 64 && list[3].from == 0x5a);
    EXPECT(setwise_threats(NULL, &fen.pieces, list, SETWISE_MOST_THREATS) == 4);
    unsigned found = 0;
    for (int i = 0; i < 4; i++)
        found |= (list[i].from == 4 && list[i].to == 6) | (list[i].from == 4 && list[i].to == 28) << 1 |
                 (list[i].from == 28 && list[i].to == 35) << 2 | (list[i].from == 35 && list[i].to == 28) << 3;
    EXPECT(found == 15 && list[4].from == 0x5a);
    EXPECT(setwise_threats(NULL, &fen.pieces, NULL, 100) == 4 && setwise_threats(NULL, NULL, list, 9) == 0);

    for (int i = 0; i < ROWS; i++)
        rows[i] = fen.pieces;
    setwise_positions from;
    memset(&from, 0, sizeof from);
    from.count = ROWS;
    from.rows = rows;
    EXPECT(setwise_threats_bulk(NULL, &from, offsets, list, 4 * ROWS) == SETWISE_OK);
    EXPECT(offsets[0] == 0 && offsets[1] == 4 && offsets[ROWS] == 4 * ROWS && list[4 * ROWS - 1].from < 64);
    EXPECT(list[4 * ROWS].from == 0x5a);
    FAILS(setwise_threats_bulk(NULL, &from, offsets, list, 4 * ROWS - 1), SETWISE_SIZE, "there are 400 threats");
    EXPECT(offsets[ROWS] == 4 * ROWS);
    FAILS(setwise_threats_bulk(NULL, &from, offsets, NULL, 0), SETWISE_SIZE, "room for 0");
    FAILS(setwise_threats_bulk(NULL, &from, NULL, list, 4 * ROWS), SETWISE_NULL, "offsets");
    FAILS(setwise_threats_bulk(NULL, &from, offsets, NULL, 4 * ROWS), SETWISE_NULL, "threats");
    FAILS(setwise_threats_bulk(NULL, NULL, offsets, list, 4 * ROWS), SETWISE_NULL, "positions");
    FAILS(setwise_threats_bulk(NULL, &from, offsets, (setwise_threat *)rows, 4), SETWISE_OVERLAP, "rows");
    FAILS(setwise_threats_bulk(NULL, &from, offsets, (setwise_threat *)offsets, 4), SETWISE_OVERLAP, "offsets");
    from.count = 0;
    from.rows = NULL;
    offsets[0] = 7;
    EXPECT(setwise_threats_bulk(NULL, &from, offsets, NULL, 0) == SETWISE_OK && offsets[0] == 0);
}

int main(void)
{
    EXPECT(setwise_error()[0] == '\0');
    kernels();
    columns();
    positions();
    fill();
    sliders();
    threats();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
