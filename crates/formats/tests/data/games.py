"""Writes games of random moves with python-chess, and a table of every position as python-chess reads it.

    generate.py GAMES SEED PLIES OUT.pgn OUT.tsv
"""
import random, sys
import chess, chess.pgn

def pick(board, rng):
    moves = list(board.legal_moves)
    special = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
    if special and rng.random() < 0.5:
        return rng.choice(special)
    return rng.choice(moves)

SCATTERED = [
    "8/P1k5/8/8/8/8/5K1p/8 w - - 0 1", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 31",
    "QQ6/8/8/6k1/8/8/8/Q3K3 w - - 12 90", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20", "NNN5/8/NNN4k/8/N1N5/8/8/4K3 w - - 0 7",
    "4k3/PPP3PP/8/8/8/8/ppp3pp/4K3 b - - 99 150",
]

WORDS = ["good", "a blunder; really", "[%csl Ga1,Rb2]", "1. e4 (not played)", "[White \"x\"]", "see $1", "1-0 would be fair", "[%cal Gd2d4]", "¡Ñandú!", "% of games", "--"]

def comment(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6)))

def add_line(node, rng, depth, length):
    for _ in range(length):
        board = node.board()
        if board.is_game_over(claim_draw=False):
            return
        node = node.add_variation(pick(board, rng))
        if rng.random() < 0.2:
            node.comment = comment(rng)
        if depth < 3 and rng.random() < 0.15 and len(list(board.legal_moves)) > 1:
            add_line(node.parent, rng, depth + 1, rng.randint(1, 4))

def game(rng, plies):
    g = chess.pgn.Game()
    kind = rng.random()
    if kind < 0.25:
        g.headers["Variant"] = "Chess960"
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        if rng.random() < .5:
            g.headers["SetUp"] = "1"; g.headers["FEN"] = board.shredder_fen()
            g._board = None
        else:
            g.setup(board)
        g.headers["Variant"] = "Chess960"
    elif kind < 0.4:
        g.setup(chess.Board(rng.choice(SCATTERED)))
    g.headers["White"] = rng.choice(["Lee, Anna", "Müller", "O'Neill \\ co"])
    result = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    g.headers["Result"] = result
    if rng.random() < 0.1:
        g.comment = comment(rng)
    if rng.random() < .2:
        g.set_eval(chess.engine.PovScore(chess.engine.Cp(rng.randint(-50, 50)), chess.WHITE))
    clocks, evals, emts, notes = (rng.random() < .5 for _ in range(4))
    node = g
    clock = [600.0, 600.0]
    for ply in range(rng.choice([0, 1, 2, plies // 3, plies, plies, 2 * plies])):
        board = node.board()
        if board.is_game_over(claim_draw=False):
            break
        node = node.add_main_variation(pick(board, rng))
        if notes and rng.random() < .3:
            node.comment = comment(rng)
        if clocks:
            used = rng.choice([1, 2, 3.5, 0.1, 7.25, 20])
            clock[ply & 1] = max(clock[ply & 1] - used, 0) + rng.choice([0, 0, 0, 3600])
            node.set_clock(round(clock[ply & 1], 3))
            if emts:
                node.set_emt(used)
        if evals:
            s = chess.engine.Mate(rng.choice([1, -1]) * rng.randint(1, 30)) if rng.random() < .1 else chess.engine.Cp(rng.randint(-2000, 2000))
            node.set_eval(chess.engine.PovScore(s, chess.WHITE), rng.choice([None, None, 22]))
        if notes and rng.random() < .2:
            node.nags.add(rng.choice([1, 2, 4, 6, 14, 146]))
        if notes and rng.random() < .2 and len(list(board.legal_moves)) > 1:
            add_line(node.parent, rng, 0, rng.randint(1, 6))
    return g

import chess.engine

def ms(value):
    return "" if value is None else str(int(round(value * 1000)))

def main(games, seed, plies, pgn, tsv):
    rng = random.Random(int(seed))
    with open(pgn, "w", encoding="utf-8") as out:
        for number in range(int(games)):
            exporter = chess.pgn.StringExporter(columns=rng.choice([None, 80, 80, 30]))
            print(game(rng, int(plies)).accept(exporter), file=out, end="\n\n")
    with open(pgn, encoding="utf-8") as file, open(tsv, "w") as out:
        number = 0
        while (g := chess.pgn.read_game(file)) is not None:
            assert not g.errors, g.errors
            number += 1
            node = g
            while node is not None:
                board = node.board()
                following = node.next()
                fen = board.fen(en_passant="fen", shredder=board.chess960) if board.chess960 else board.fen(en_passant="fen")
                if board.chess960: fen = board.shredder_fen(en_passant="fen")
                move = "" if following is None else (board._to_chess960(following.move).uci() if board.is_castling(following.move) else following.move.uci())
                san = "" if following is None else board.san(following.move)
                score = node.eval()
                if score is None: value = ""
                else:
                    score = score.white()
                    value = f"#{score.mate()}" if score.is_mate() else str(score.score())
                print(number, fen, move, san, ms(node.clock()), ms(node.emt()), value, g.headers["Result"], g.headers["White"], sep="\t", file=out)
                node = following
        print(number, "games", file=sys.stderr)

main(*sys.argv[1:])
