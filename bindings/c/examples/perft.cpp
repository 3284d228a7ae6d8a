// Perft: counts the positions after all sequences of legal moves, with a move generator on setwise.h alone. Chess960
// included.
//
//     c++ -O3 examples/perft.cpp $(pkg-config --cflags --libs setwise) -o perft
//     ./perft FEN DEPTH          the number of positions
//     ./perft                    well-known counts, and those of perft.tsv in the folder SETWISE_DATA
//
// What a generator of legal moves needs, the header has: the checkers; the pinned pieces; the squares where the king
// would be in check; the lines and the squares between; what a piece attacks from its square; and a reader for FEN.
// Castling and en passant are rare and have special rules; they are played, and dropped if that leaves the king in
// check.
#include <setwise.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

using Set = std::uint64_t;
using Square = std::uint8_t;

namespace {

const setwise_kernel *const kernel = setwise_kernel_detect();

enum Role { Pawn, Knight, Bishop, Rook, Queen, King };

Square square_of(Set set)
{
    return static_cast<Square>(__builtin_ctzll(set));
}

Set bit(unsigned square)
{
    return Set{1} << square;
}

template <class Visit> void each_square(Set set, Visit visit)
{
    for (; set != 0; set &= set - 1)
        visit(square_of(set));
}

// One rank up for white, one down for black.
Set ahead(int colour, Set set)
{
    return colour == SETWISE_WHITE ? set << 8 : set >> 8;
}

// What a leaper attacks from each square.
struct Leapers {
    std::array<Set, 64> knight, king;
    std::array<std::array<Set, 64>, 2> pawn;

    Leapers()
    {
        for (unsigned square = 0; square < 64; square++) {
            knight[square] = setwise_knights_attacks(bit(square));
            king[square] = setwise_kings_attacks(bit(square));
            for (int colour : {SETWISE_WHITE, SETWISE_BLACK})
                pawn[static_cast<unsigned>(colour)][square] =
                    setwise_pawns_attacks(static_cast<std::uint8_t>(colour), bit(square));
        }
    }
};

const Leapers leapers;

// Where the king and the rook stand after castling.
struct Castled {
    Square king, rook;

    Castled(Square king_from, Square rook_from)
    {
        const auto back_rank = static_cast<Square>(king_from & 56);
        const bool short_side = rook_from > king_from;
        king = static_cast<Square>(back_rank + (short_side ? 6 : 2));
        rook = static_cast<Square>(back_rank + (short_side ? 5 : 3));
    }
};

struct alignas(64) Board {
    setwise_pieces pieces;
    Set en_passant; // the square behind a pawn that has just made a double step, as a set
    std::uint8_t turn;
    std::array<std::uint8_t, 2> castling; // the files of the rooks

    explicit Board(const std::string &text)
    {
        setwise_fen fen;
        if (setwise_fen_parse(text.data(), text.size(), &fen, nullptr) != SETWISE_STATUS_OK)
            throw std::runtime_error(text + ": " + setwise_error_message());
        pieces = fen.pieces;
        turn = fen.turn;
        castling = {fen.castling_white, fen.castling_black};
        en_passant = fen.en_passant < 64 ? bit(fen.en_passant) : 0;
        for (Set side : {pieces.white, pieces.black})
            if (__builtin_popcountll(pieces.kings & side) != 1)
                throw std::runtime_error(text + ": each side needs one king");
    }

    Set occupied() const { return pieces.white | pieces.black; }
    Set own() const { return turn == SETWISE_WHITE ? pieces.white : pieces.black; }
    Set enemy() const { return turn == SETWISE_WHITE ? pieces.black : pieces.white; }

    Set &role(Role role)
    {
        switch (role) {
        case Pawn: return pieces.pawns;
        case Knight: return pieces.knights;
        case Bishop: return pieces.bishops;
        case Rook: return pieces.rooks;
        case Queen: return pieces.queens;
        default: return pieces.kings;
        }
    }

    void clear(Set squares)
    {
        for (Set *set : {&pieces.pawns, &pieces.knights, &pieces.bishops, &pieces.rooks, &pieces.queens,
                         &pieces.kings, &pieces.white, &pieces.black})
            *set &= ~squares;
    }

    void put(std::uint8_t colour, Role which, Square square)
    {
        role(which) |= bit(square);
        (colour == SETWISE_WHITE ? pieces.white : pieces.black) |= bit(square);
    }

    // Visits each piece that can move: its role, its square and the set of squares it can go to. Castling is the king
    // moving to its own rook, and an en passant capture the pawn moving to the en passant square.
    template <class Visit> void moves(Visit visit) const
    {
        const Set us = own(), all = occupied();
        const Square king = square_of(pieces.kings & us);
        const Set checkers = setwise_pieces_checkers(kernel, &pieces, turn);
        const Set danger = setwise_pieces_king_danger(kernel, &pieces, turn);
        Set steps = leapers.king[king] & ~us & ~danger;
        if (checkers == 0)
            steps |= castlings(king, danger);
        visit(King, king, steps);

        // Where the others may go: anywhere, or to the checker and between it and the king.
        Set allowed = ~us;
        if (checkers != 0) {
            if ((checkers & (checkers - 1)) != 0)
                return;
            allowed = checkers | setwise_squares_between(king, square_of(checkers));
        }
        const Set pinned = setwise_pieces_pinned(kernel, &pieces, turn);
        const auto along_pin = [&](Square from) {
            return (pinned & bit(from)) != 0 ? setwise_squares_line_through(king, from) : ~Set{0};
        };
        each_square(pieces.knights & us, [&](Square from) {
            visit(Knight, from, leapers.knight[from] & allowed & along_pin(from));
        });
        each_square(pieces.bishops & us, [&](Square from) {
            visit(Bishop, from, setwise_bishop_attacks(from, all) & allowed & along_pin(from));
        });
        each_square(pieces.rooks & us, [&](Square from) {
            visit(Rook, from, setwise_rook_attacks(from, all) & allowed & along_pin(from));
        });
        each_square(pieces.queens & us, [&](Square from) {
            visit(Queen, from, setwise_queen_attacks(from, all) & allowed & along_pin(from));
        });
        const Set third_rank = turn == SETWISE_WHITE ? Set{0xff0000} : Set{0xff0000000000};
        each_square(pieces.pawns & us, [&](Square from) {
            const Set captures = leapers.pawn[turn][from];
            const Set one = ahead(turn, bit(from)) & ~all;
            const Set two = ahead(turn, one & third_rank) & ~all;
            Set to = ((captures & enemy()) | one | two) & allowed & along_pin(from);
            if ((captures & en_passant) != 0 && is_safe(Pawn, from, square_of(en_passant)))
                to |= en_passant;
            visit(Pawn, from, to);
        });
    }

    // The rooks with which the king can castle; it is not in check.
    Set castlings(Square king, Set danger) const
    {
        Set rooks = 0;
        each_square(castling[turn], [&](Square file) {
            const auto rook = static_cast<Square>((king & 56) + file);
            const Castled to(king, rook);
            const Set king_path = setwise_squares_between(king, to.king) | bit(to.king);
            const Set path = king_path | setwise_squares_between(rook, to.rook) | bit(to.rook);
            const Set others = occupied() & ~(bit(king) | bit(rook));
            // The rook may have shielded the king from a slider, so look again after the move.
            if ((pieces.rooks & own() & bit(rook)) != 0 && (path & others) == 0 && (king_path & danger) == 0 &&
                is_safe(King, king, rook))
                rooks |= bit(rook);
        });
        return rooks;
    }

    // Whether the mover's king is not in check after a move.
    bool is_safe(Role which, Square from, Square to) const
    {
        const Board after = play(which, from, to, which);
        return setwise_pieces_checkers(kernel, &after.pieces, turn) == 0;
    }

    // The position after a move; `becomes` is the role itself, or what a pawn is promoted to.
    Board play(Role which, Square from, Square to, Role becomes) const
    {
        Board after = *this;
        const Set moved = bit(from) | bit(to);
        after.turn = turn ^ 1;
        after.en_passant = 0;
        after.castling[0] &= static_cast<std::uint8_t>(~moved);
        after.castling[1] &= static_cast<std::uint8_t>(~(moved >> 56));
        if (which == King)
            after.castling[turn] = 0;

        after.clear(moved);
        if (which == King && (own() & bit(to)) != 0) {
            const Castled castled(from, to);
            after.put(turn, King, castled.king);
            after.put(turn, Rook, castled.rook);
            return after;
        }
        after.put(turn, becomes, to);
        if (which == Pawn) {
            if ((en_passant & bit(to)) != 0)
                after.clear(ahead(turn ^ 1, bit(to)));
            else if (from + 16 == to || to + 16 == from)
                after.en_passant = ahead(turn, bit(from));
        }
        return after;
    }
};

std::uint64_t perft(const Board &board, unsigned depth)
{
    const Set last_ranks = 0xff000000000000ff;
    std::uint64_t nodes = 0;
    if (depth == 0)
        return 1;
    board.moves([&](Role role, Square from, Set targets) {
        if (depth == 1) { // the last moves are counted, not played
            const Set promotions = role == Pawn ? targets & last_ranks : 0;
            nodes += static_cast<std::uint64_t>(__builtin_popcountll(targets) + 3 * __builtin_popcountll(promotions));
            return;
        }
        each_square(targets, [&](Square to) {
            if (role == Pawn && (bit(to) & last_ranks) != 0) {
                for (Role becomes : {Queen, Rook, Bishop, Knight})
                    nodes += perft(board.play(role, from, to, becomes), depth - 1);
            } else {
                nodes += perft(board.play(role, from, to, role), depth - 1);
            }
        });
    });
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

struct Tally {
    unsigned long lines = 0, wrong = 0;
    std::uint64_t nodes = 0;

    void count(const std::string &fen, unsigned depth, std::uint64_t expected)
    {
        const std::uint64_t found = perft(Board(fen), depth);
        lines++;
        nodes += found;
        if (found == expected)
            return;
        wrong++;
        std::fprintf(stderr, "%s, depth %u: %llu, expected %llu\n", fen.c_str(), depth,
                     static_cast<unsigned long long>(found), static_cast<unsigned long long>(expected));
    }
};

// Counts the lines `fen depth nodes ...` of a table with at most `limit` nodes.
void count_suite(const std::string &path, std::uint64_t limit, Tally &tally)
{
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error(path + ": cannot be read");
    std::string line;
    std::getline(file, line); // names the columns
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string fen, depth, nodes;
        if (!std::getline(fields, fen, '\t') || !std::getline(fields, depth, '\t') ||
            !std::getline(fields, nodes, '\t'))
            throw std::runtime_error(path + ": expected fen, depth and nodes in `" + line + "`");
        if (std::stoull(nodes) <= limit)
            tally.count(fen, static_cast<unsigned>(std::stoul(depth)), std::stoull(nodes));
    }
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc == 3) {
        std::printf("%llu\n", static_cast<unsigned long long>(
                                  perft(Board(argv[1]), static_cast<unsigned>(std::stoul(argv[2])))));
        return EXIT_SUCCESS;
    }
    Tally tally;
    for (const Known &line : known)
        tally.count(line.fen, line.depth, line.nodes);
    const unsigned long expected = sizeof known / sizeof *known;
    if (tally.lines != expected)
        throw std::runtime_error("not every known position was counted");
    if (const char *folder = std::getenv("SETWISE_DATA")) {
        const char *limit = std::getenv("SETWISE_PERFT_LIMIT");
        count_suite(std::string(folder) + "/perft.tsv", limit != nullptr ? std::stoull(limit) : 200000, tally);
        if (tally.lines < expected + 1000)
            throw std::runtime_error("the suite is too short");
    } else {
        std::puts("SKIPPED: the perft suite, for SETWISE_DATA is not set");
    }
    std::printf("%lu lines, %llu nodes, %lu wrong\n", tally.lines, static_cast<unsigned long long>(tally.nodes),
                tally.wrong);
    return tally.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
}
