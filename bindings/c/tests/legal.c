/* Compares this library, one position at a time and by columns, on every kernel, with legal moves of python-chess
 * (`legal-moves.tsv.gz` in the folder SETWISE_DATA, or an excerpt), with counts of known positions, and with perft.tsv.
 */
#define _POSIX_C_SOURCE 200809L
#include <setwise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 12000, MAX_LINE = 4096, PLANES = 73 };

static void die(const char *what, const char *which)
{
    fprintf(stderr, "%s %s (%s)\n", what, which, setwise_error_message());
    exit(EXIT_FAILURE);
}

/* A move of the file: its squares, and the promotion (0 knight to 3 queen, or -1). */
typedef struct expected_move {
    uint8_t from, to;
    int8_t role;
} expected_move;

static size_t row_count;
static setwise_fen *fens;
static int *status;
static size_t *first; /* the index of each row's first move */
static expected_move *moves;

static uint8_t square(const char *name)
{
    return (uint8_t)(name[0] - 'a' + 8 * (name[1] - '1'));
}

/* The king's destination in this library if the file has a move to the own rook. */
static uint8_t castled(uint8_t from, uint8_t to)
{
    if (from % 8 == 4 && to % 8 == 7)
        return (uint8_t)(from + 2);
    if (from % 8 == 4 && to % 8 == 0)
        return (uint8_t)(from - 2);
    return to;
}

static int by_squares(const void *a, const void *b)
{
    const expected_move *x = (const expected_move *)a, *y = (const expected_move *)b;
    if (x->from != y->from)
        return x->from - y->from;
    return x->to != y->to ? x->to - y->to : x->role - y->role;
}

static void read_table(const char *folder)
{
    char command[1024], line[MAX_LINE], *next;
    snprintf(command, sizeof command, "gzip -dc '%s/legal-moves.tsv.gz'", folder);
    FILE *table = popen(command, "r");
    if (table == NULL)
        die("cannot read", command);
    size_t count = 0;
    for (row_count = 0; fgets(line, sizeof line, table) != NULL; row_count++) {
        const char *fen = strtok_r(line, "\t\n", &next);
        strtok_r(NULL, "\t\n", &next); /* the kind */
        const char *state = strtok_r(NULL, "\t\n", &next);
        if (row_count == MAX_ROWS || state == NULL ||
            setwise_fen_parse(fen, strlen(fen), &fens[row_count], NULL) != SETWISE_STATUS_OK)
            die("cannot take", fen);
        status[row_count] = strcmp(state, "check") == 0       ? 1
                            : strcmp(state, "checkmate") == 0 ? 2
                            : strcmp(state, "stalemate") == 0 ? 3
                                                              : 0;
        const setwise_fen *f = &fens[row_count];
        const uint64_t own = f->turn == SETWISE_WHITE ? f->pieces.white : f->pieces.black;
        first[row_count] = count;
        for (const char *name; (name = strtok_r(NULL, " \t\n", &next)) != NULL; count++) {
            static const char roles[] = "nbrq";
            const uint8_t from = square(name), to = square(name + 2);
            const int is_castling = (own >> to & 1) != 0;
            moves[count].from = from;
            moves[count].to = is_castling ? castled(from, to) : to;
            moves[count].role = name[4] == 0 ? (int8_t)-1 : (int8_t)(strchr(roles, name[4]) - roles);
        }
        qsort(moves + first[row_count], count - first[row_count], sizeof *moves, by_squares);
    }
    first[row_count] = count;
    if (pclose(table) != 0 || row_count < 250)
        die("too few rows in", command);
}

static void fail(const char *what, size_t row)
{
    fprintf(stderr, "row %zu: wrong %s\n", row, what);
    exit(EXIT_FAILURE);
}

static void compare_list(size_t row, const uint16_t *found, size_t count)
{
    const expected_move *expected = moves + first[row];
    if (count != first[row + 1] - first[row])
        fail("number of moves", row);
    for (size_t i = 0; i < count; i++) {
        const int special = found[i] >> 14, role = found[i] >> 12 & 3;
        if ((found[i] & 63) != expected[i].to || (found[i] >> 6 & 63) != expected[i].from ||
            (special == 1 ? role : -1) != expected[i].role)
            fail("move", row);
    }
}

static void compare_targets(size_t row, const uint64_t *found)
{
    uint64_t expected[64] = {0};
    for (size_t i = first[row]; i < first[row + 1]; i++)
        expected[moves[i].from] |= UINT64_C(1) << moves[i].to;
    if (memcmp(found, expected, sizeof expected) != 0)
        fail("targets", row);
}

/* The plane of a move in the order of the documentation, and its origin, both as the mover sees them. */
static void compare_planes(size_t row, const uint64_t *found)
{
    static const int ways[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    static const int leaps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    uint64_t expected[PLANES] = {0};
    for (size_t i = first[row]; i < first[row + 1]; i++) {
        const int turned = fens[row].turn == SETWISE_WHITE ? 0 : 56;
        const int from = moves[i].from ^ turned, to = moves[i].to ^ turned;
        const int files = to % 8 - from % 8, ranks = to / 8 - from / 8;
        int plane = -1;
        for (int way = 0; way < 8; way++) {
            for (int far = 1; far < 8; far++)
                if (files == far * ways[way][0] && ranks == far * ways[way][1])
                    plane = 7 * way + far - 1;
            if (files == leaps[way][0] && ranks == leaps[way][1])
                plane = 56 + way;
        }
        if (moves[i].role >= 0 && moves[i].role < 3)
            plane = 64 + 3 * moves[i].role + files + 1;
        expected[plane] |= UINT64_C(1) << from;
    }
    if (memcmp(found, expected, sizeof expected) != 0)
        fail("planes", row);
}

/* Compares the moves computed from the facts about the king, with and without masks. */
static void by_king_facts(const setwise_kernel *kernel, const setwise_fen *f, setwise_state state, const uint16_t *all, int32_t count)
{
    const setwise_king_facts facts = setwise_pieces_king_facts(kernel, &f->pieces, f->turn);
    const uint64_t enemies = f->turn == SETWISE_WHITE ? f->pieces.black : f->pieces.white;
    const uint64_t origins = UINT64_C(0xf0f0ff00ff3c3c0f), destinations = UINT64_C(0x3cff00ffff0ff00f);
    const size_t row = (size_t)(f - fens);
    for (int masked = 0; masked < 2; masked++)
        for (uint8_t kind = SETWISE_MOVES_ALL; kind <= SETWISE_MOVES_QUIETS; kind++) {
            uint16_t found[SETWISE_MAX_LEGAL_MOVES];
            const int32_t some = setwise_king_facts_legal_moves(&facts, &f->pieces, state, kind, masked ? origins : UINT64_MAX,
                                                                masked ? destinations : UINT64_MAX, found,
                                                                SETWISE_MAX_LEGAL_MOVES);
            int32_t next = 0;
            for (int32_t i = 0; i < count; i++) {
                const int to = all[i] & 63, from = all[i] >> 6 & 63, is_capture = all[i] >> 14 == 2 || (enemies >> to & 1) != 0;
                if ((kind == SETWISE_MOVES_CAPTURES && !is_capture) || (kind == SETWISE_MOVES_QUIETS && is_capture) ||
                    (masked && ((origins >> from & 1) == 0 || (destinations >> to & 1) == 0)))
                    continue;
                if (next == some || found[next++] != all[i])
                    fail("move by king facts", row);
            }
            if (next != some)
                fail("number of moves by king facts", row);
        }
}

static void one_at_a_time(const setwise_kernel *kernel)
{
    for (size_t i = 0; i < row_count; i++) {
        const setwise_fen *f = &fens[i];
        const setwise_state state = {f->turn, f->castling_white, f->castling_black, f->en_passant};
        uint16_t list[SETWISE_MAX_LEGAL_MOVES];
        uint64_t targets[64];
        const int32_t count = setwise_pieces_legal_moves(kernel, &f->pieces, state, list, SETWISE_MAX_LEGAL_MOVES);
        if (count < 0 || setwise_pieces_legal_targets(kernel, &f->pieces, state, targets) != 1)
            fail("validity", i);
        compare_list(i, list, (size_t)count);
        compare_targets(i, targets);
        if (setwise_pieces_legal_count(kernel, &f->pieces, state) != count)
            fail("count", i);
        if (setwise_pieces_legal_status(kernel, &f->pieces, state) != status[i])
            fail("status", i);
        if (setwise_pieces_legal_moves(kernel, &f->pieces, state, NULL, 0) != count)
            fail("count without a buffer", i);
        by_king_facts(kernel, f, state, list, count);
    }
    static const int32_t values[6] = {100, 300, 300, 500, 900, 0};
    static const setwise_state nothing = {SETWISE_WHITE, 0, 0, SETWISE_NO_SQUARE};
    static const char exchange[] = "4k3/8/3p4/4p3/8/8/4R3/K3R3 w - - 0 1"; /* Rxe5 wins two pawns for a rook */
    const uint16_t takes = 36 | 12 << 6;
    setwise_fen start;
    if (setwise_fen_parse(exchange, strlen(exchange), &start, NULL) != SETWISE_STATUS_OK ||
        setwise_pieces_see(&start.pieces, takes, values, -300) != 1 ||
        setwise_pieces_see(&start.pieces, takes, values, -299) != 0 ||
        setwise_pieces_see(NULL, takes, values, 0) != 1 || setwise_pieces_see(&start.pieces, takes, NULL, 1) != 0)
        fail("exchange", 0);
    if (setwise_king_facts_legal_moves(NULL, NULL, nothing, 0, 0, 0, NULL, 0) != 0)
        fail("answer without anything", 0);
    memset(&start, 0, sizeof start); /* an empty board */
    const setwise_state state = {SETWISE_WHITE, 0, 0, SETWISE_NO_SQUARE};
    uint64_t targets[64];
    if (setwise_pieces_legal_targets(kernel, &start.pieces, state, targets) != 0 || targets[0] != 0 ||
        setwise_pieces_legal_moves(kernel, &start.pieces, state, NULL, 0) != -1 ||
        setwise_pieces_legal_count(kernel, &start.pieces, state) != -1 ||
        setwise_pieces_legal_status(kernel, &start.pieces, state) != -1)
        fail("answer of an empty board", 0);
}

static void *zeros(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        die("no memory", "");
    return memory;
}

/* Tests successors, which are in the order of the moves: each equals the position after its move, and none beyond the
 * capacity is written. */
static void all_successors(const setwise_kernel *kernel, const setwise_positions *positions, const uint16_t *list)
{
    const size_t all = first[row_count];
    setwise_pieces *pieces = (setwise_pieces *)zeros(all, sizeof *pieces);
    setwise_state *states = (setwise_state *)zeros(all, sizeof *states);
    uint16_t *played = (uint16_t *)zeros(all, sizeof *played);
    size_t *offsets = (size_t *)zeros(row_count + 1, sizeof *offsets);
    setwise_successors room;
    memset(&room, 0, sizeof room);
    room.pieces = pieces, room.states = states, room.moves = played, room.offsets = offsets;
    for (size_t missing = 0; missing < 2; missing++) {
        room.capacity = all - missing;
        if (setwise_positions_successors(kernel, positions, &room) != SETWISE_STATUS_OK)
            die("setwise_positions_successors", "");
        size_t parents = row_count;
        while (first[parents] > room.capacity)
            parents--;
        if (room.parents != parents || room.count != first[parents] ||
            memcmp(offsets, first, (parents + 1) * sizeof *offsets) != 0 ||
            memcmp(played, list, room.count * sizeof *list) != 0)
            fail("successors", room.parents);
    }
    for (size_t i = 0; i < room.parents; i++)
        for (size_t at = first[i]; at < first[i + 1]; at++) {
            const setwise_fen *f = &fens[i];
            const setwise_state state = {f->turn, f->castling_white, f->castling_black, f->en_passant};
            setwise_pieces after = f->pieces; /* in place */
            const setwise_state now = setwise_pieces_play(kernel, &after, state, played[at], &after);
            if (memcmp(&after, &pieces[at], sizeof after) != 0 || memcmp(&now, &states[at], sizeof now) != 0 ||
                now.turn == f->turn)
                fail("successor", i);
        }
    setwise_positions without_state = *positions;
    without_state.turns = NULL;
    if (setwise_positions_successors(kernel, &without_state, &room) != SETWISE_STATUS_STATE ||
        setwise_positions_successors(kernel, positions, NULL) != SETWISE_STATUS_NULL)
        fail("status of successors", 0);
    free(pieces);
    free(states);
    free(played);
    free(offsets);
}

static void in_bulk(const setwise_kernel *kernel)
{
    enum { COLUMNS = 5 };
    static const char *const names[COLUMNS] = {"legal_planes", "legal_targets", "legal_moves", "legal_count",
                                               "status"};
    const size_t sizes[COLUMNS] = {8 * PLANES, 8 * 64, 2 * 256, 2, 1};
    setwise_buffer buffers[COLUMNS];
    setwise_positions positions;
    memset(buffers, 0, sizeof buffers);
    memset(&positions, 0, sizeof positions);
    setwise_pieces *rows = (setwise_pieces *)zeros(row_count, sizeof *rows);
    uint8_t *bytes = (uint8_t *)zeros(4 * row_count, 1);
    for (size_t i = 0; i < row_count; i++) {
        rows[i] = fens[i].pieces;
        bytes[i] = fens[i].turn;
        bytes[row_count + i] = fens[i].castling_white;
        bytes[2 * row_count + i] = fens[i].castling_black;
        bytes[3 * row_count + i] = fens[i].en_passant;
    }
    positions.count = row_count;
    positions.rows = rows;
    positions.turns = bytes;
    positions.castling_white = bytes + row_count;
    positions.castling_black = bytes + 2 * row_count;
    positions.en_passant = bytes + 3 * row_count;
    size_t *offsets = (size_t *)zeros(row_count + 1, sizeof *offsets);
    uint8_t *valid = (uint8_t *)zeros(row_count, 1);
    for (int c = 0; c < COLUMNS; c++) {
        buffers[c].column = setwise_column_find(names[c]);
        if (buffers[c].column < 0 || setwise_column_needs(buffers[c].column) != SETWISE_NEEDS_STATE)
            die("no column", names[c]);
        buffers[c].bytes = sizes[c] * row_count;
        buffers[c].values = zeros(row_count, sizes[c]);
    }
    buffers[2].offsets = offsets;
    buffers[3].validity = valid;
    if (setwise_positions_fill(kernel, &positions, buffers, COLUMNS) != SETWISE_STATUS_OK)
        die("setwise_positions_fill", "");
    for (size_t i = 0; i < row_count; i++) {
        if (!valid[i])
            fail("validity", i);
        compare_planes(i, (const uint64_t *)buffers[0].values + PLANES * i);
        compare_targets(i, (const uint64_t *)buffers[1].values + 64 * i);
        compare_list(i, (const uint16_t *)buffers[2].values + offsets[i], offsets[i + 1] - offsets[i]);
        if (((const uint16_t *)buffers[3].values)[i] != first[i + 1] - first[i])
            fail("count", i);
        if (((const uint8_t *)buffers[4].values)[i] != status[i])
            fail("status", i);
    }
    all_successors(kernel, &positions, (const uint16_t *)buffers[2].values);
    for (int c = 0; c < COLUMNS; c++)
        free(buffers[c].values);
    free(rows);
    free(bytes);
    free(offsets);
    free(valid);
}

/* Positions with numbers of legal moves on which python-chess and perft agree, each with its castling rights. */
static void known_positions(const setwise_kernel *kernel)
{
    static const struct {
        const char *fen;
        int32_t count;
    } known[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 14},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 44},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 26},
        {"r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", 24},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQ - 0 1", 24},
        {"r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", 25},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 31},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 30},
    };
    enum { KNOWN = sizeof known / sizeof *known };
    setwise_pieces rows[KNOWN];
    uint8_t states[4][KNOWN];
    for (size_t i = 0; i < KNOWN; i++) {
        setwise_fen fen;
        if (setwise_fen_parse(known[i].fen, strlen(known[i].fen), &fen, NULL) != SETWISE_STATUS_OK)
            die("cannot take", known[i].fen);
        rows[i] = fen.pieces;
        states[0][i] = fen.turn, states[1][i] = fen.castling_white, states[2][i] = fen.castling_black;
        states[3][i] = fen.en_passant;
        const setwise_state state = {fen.turn, fen.castling_white, fen.castling_black, fen.en_passant};
        uint16_t list[SETWISE_MAX_LEGAL_MOVES], few[4] = {7, 7, 7, 7};
        if (setwise_pieces_legal_count(kernel, &rows[i], state) != known[i].count)
            fail("known count", i);
        /* As many moves are written as fit, and all are counted. */
        if (setwise_pieces_legal_moves(kernel, &rows[i], state, list, SETWISE_MAX_LEGAL_MOVES) != known[i].count ||
            setwise_pieces_legal_moves(kernel, &rows[i], state, few, 3) != known[i].count ||
            memcmp(few, list, 3 * sizeof *few) != 0 || few[3] != 7)
            fail("first moves", i);
    }
    uint16_t counts[KNOWN];
    setwise_buffer buffer;
    setwise_positions positions;
    memset(&buffer, 0, sizeof buffer);
    memset(&positions, 0, sizeof positions);
    positions.count = KNOWN;
    positions.rows = rows;
    positions.turns = states[0], positions.castling_white = states[1], positions.castling_black = states[2];
    positions.en_passant = states[3];
    buffer.column = setwise_column_find("legal_count");
    buffer.values = counts, buffer.bytes = sizeof counts;
    if (setwise_positions_fill(kernel, &positions, &buffer, 1) != SETWISE_STATUS_OK)
        die("setwise_positions_fill", "");
    for (size_t i = 0; i < KNOWN; i++)
        if (counts[i] != known[i].count)
            fail("known count in bulk", i);
}

static uint64_t perft(const setwise_kernel *kernel, const setwise_pieces *pieces, setwise_state state, unsigned depth)
{
    uint16_t list[SETWISE_MAX_LEGAL_MOVES];
    const int count = setwise_pieces_legal_moves(kernel, pieces, state, list, SETWISE_MAX_LEGAL_MOVES);
    uint64_t nodes = 0;
    if (depth == 1)
        return (uint64_t)count;
    for (int i = 0; i < count; i++) {
        setwise_pieces after;
        const setwise_state next = setwise_pieces_play(kernel, pieces, state, list[i], &after);
        nodes += perft(kernel, &after, next, depth - 1);
    }
    return nodes;
}

/* Tests the lines `fen depth nodes ...` of perft.tsv with at most SETWISE_PERFT_LIMIT nodes. */
static void perft_suite(const char *folder)
{
    char path[1024], line[MAX_LINE], *next;
    const char *given = getenv("SETWISE_PERFT_LIMIT");
    const uint64_t limit = given != NULL ? strtoull(given, NULL, 10) : 200000;
    snprintf(path, sizeof path, "%s/perft.tsv", folder);
    FILE *table = fopen(path, "r");
    if (table == NULL || fgets(line, sizeof line, table) == NULL)
        die("cannot read", path);
    size_t count = 0;
    for (size_t row = 0; fgets(line, sizeof line, table) != NULL; row++) {
        const char *text = strtok_r(line, "\t\n", &next);
        const char *depth = strtok_r(NULL, "\t\n", &next), *nodes = strtok_r(NULL, "\t\n", &next);
        setwise_fen fen;
        if (nodes == NULL || setwise_fen_parse(text, strlen(text), &fen, NULL) != SETWISE_STATUS_OK)
            die("cannot take", text);
        if (strtoull(nodes, NULL, 10) > limit)
            continue;
        const setwise_state state = {fen.turn, fen.castling_white, fen.castling_black, fen.en_passant};
        if (perft(NULL, &fen.pieces, state, (unsigned)strtoul(depth, NULL, 10)) != strtoull(nodes, NULL, 10))
            fail("perft", row);
        count++;
    }
    fclose(table);
    if (count < 20)
        die("too few rows in", path);
    printf("perft of %zu rows\n", count);
}

int main(void)
{
    const setwise_kernel *kernel;
    for (size_t k = 0; (kernel = setwise_kernel_at(k)) != NULL; k++)
        known_positions(kernel);
    const char *folder = getenv("SETWISE_DATA");
    if (folder == NULL)
        folder = "../../tests/data"; /* excerpts */
    fens = (setwise_fen *)zeros(MAX_ROWS, sizeof *fens);
    status = (int *)zeros(MAX_ROWS, sizeof *status);
    first = (size_t *)zeros(MAX_ROWS + 1, sizeof *first);
    moves = (expected_move *)zeros((size_t)MAX_ROWS * 256, sizeof *moves);
    perft_suite(folder);
    read_table(folder);
    for (size_t k = 0; (kernel = setwise_kernel_at(k)) != NULL; k++) {
        one_at_a_time(kernel);
        in_bulk(kernel);
        printf("legal moves of %zu positions by %s\n", row_count, setwise_kernel_name(kernel));
    }
    free(fens);
    free(status);
    free(first);
    free(moves);
    return EXIT_SUCCESS;
}
