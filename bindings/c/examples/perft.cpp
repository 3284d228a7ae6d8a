// Perft: counts the positions after all sequences of legal moves, with setwise.h alone. Chess960 included.
//
//     c++ -O3 examples/perft.cpp $(pkg-config --cflags --libs setwise) -o perft
//     ./perft FEN DEPTH          the number of positions
//     ./perft                    checks well-known counts
#include <setwise.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

const setwise_kernel *const kernel = setwise_kernel_detect();

// Aligned positions are read in place.
struct alignas(64) Board {
    setwise_pieces pieces;
    setwise_state state;
};

Board parsed(const std::string &text)
{
    setwise_fen fen;
    if (setwise_fen_parse(text.data(), text.size(), &fen, nullptr) != SETWISE_STATUS_OK)
        throw std::runtime_error(text + ": " + setwise_error_message());
    const Board board = {fen.pieces, {fen.turn, fen.castling_white, fen.castling_black, fen.en_passant}};
    if (setwise_pieces_legal_count(kernel, &board.pieces, board.state) < 0)
        throw std::runtime_error(text + ": the position is invalid");
    return board;
}

std::uint64_t perft(const Board &board, unsigned depth)
{
    if (depth == 0)
        return 1;
    if (depth == 1) // the last moves are counted, not played
        return static_cast<std::uint64_t>(setwise_pieces_legal_count(kernel, &board.pieces, board.state));
    std::uint16_t moves[SETWISE_MAX_LEGAL_MOVES];
    const int count =
        setwise_pieces_legal_moves(kernel, &board.pieces, board.state, moves, SETWISE_MAX_LEGAL_MOVES);
    std::uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        Board after;
        after.state = setwise_pieces_play(kernel, &board.pieces, board.state, moves[i], &after.pieces);
        nodes += perft(after, depth - 1);
    }
    return nodes;
}

struct Known {
    const char *fen;
    unsigned depth;
    std::uint64_t nodes;
};

// Published counts.
const Known known[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197281},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97862},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43238},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62379},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3, 9483},
    {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 4, 10138},
    {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 3, 50509},
    {"r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w FAfa - 0 1", 3, 20218},
};

} // namespace

int main(int argc, char **argv)
try {
    if (argc == 3) {
        const auto depth = static_cast<unsigned>(std::stoul(argv[2]));
        std::printf("%llu\n", static_cast<unsigned long long>(perft(parsed(argv[1]), depth)));
        return EXIT_SUCCESS;
    }
    for (const Known &line : known) {
        const std::uint64_t found = perft(parsed(line.fen), line.depth);
        std::printf("%s, depth %u: %llu\n", line.fen, line.depth, static_cast<unsigned long long>(found));
        if (found != line.nodes)
            throw std::runtime_error("expected " + std::to_string(line.nodes));
    }
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
}
