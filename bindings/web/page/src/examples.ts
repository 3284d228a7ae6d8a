// Example games and positions.

export interface Example {
  readonly name: string;
  readonly pgn?: string;
  readonly fen?: string;
  /** The half-move to show first. */
  readonly ply?: number;
}

export const EXAMPLES: readonly Example[] = [
  {
    name: 'The Opera Game, Morphy 1858',
    ply: 18,
    pgn: `[Event "Opera Game"]
[Date "1858.??.??"]
[White "Paul Morphy"]
[Black "Duke of Brunswick and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`,
  },
  {
    name: 'The Immortal Game, Anderssen 1851',
    ply: 34,
    pgn: `[Event "London"]
[Date "1851.06.21"]
[White "Adolf Anderssen"]
[Black "Lionel Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6
21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0`,
  },
  {
    name: 'The Evergreen Game, Anderssen 1852',
    ply: 37,
    pgn: `[Event "Berlin"]
[Date "1852.??.??"]
[White "Adolf Anderssen"]
[Black "Jean Dufresne"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Ba5 6. d4 exd4 7. O-O d3 8. Qb3 Qf6 9. e5 Qg6 10. Re1 Nge7 11. Ba3 b5
12. Qxb5 Rb8 13. Qa4 Bb6 14. Nbd2 Bb7 15. Ne4 Qf5 16. Bxd3 Qh5 17. Nf6+ gxf6 18. exf6 Rg8 19. Rad1 Qxf3 20. Rxe7+ Nxe7
21. Qxd7+ Kxd7 22. Bf5+ Ke8 23. Bd7+ Kf8 24. Bxe7# 1-0`,
  },
  { name: 'Pins on every line', fen: 'r3k2r/pp1n1ppp/2p1b3/b2qp2B/3P3Q/2N1P3/PP1K1PPP/R6R w kq - 4 15' },
  { name: 'Many things hang', fen: 'r1b1k2r/ppp2ppp/2n2n2/2bqp3/2B1P1N1/2NP4/PPP2PPP/R1BQK2R w KQkq - 0 8' },
  { name: 'Nine queens a side', fen: 'qqqqkqqq/q6q/8/8/8/8/Q6Q/QQQQKQQQ w - - 0 1' },
];
