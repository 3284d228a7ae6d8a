//! The examples in the help. Each line fits in a terminal of 80 columns: a longer one is wrapped and cannot be copied.

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  setwise completions bash > ~/.local/share/bash-completion/completions/setwise
  mkdir -p ~/.zfunc && setwise completions zsh > ~/.zfunc/_setwise
  setwise completions fish > ~/.config/fish/completions/setwise.fish";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  setwise convert games.vf -o games.fen --lossy
  setwise convert positions.fen -o positions.marlin --on-missing 0
  setwise convert data.binpack -o data.bin
  setwise convert a.binpack -o b.bin --sampling nnue-pytorch-2026-07 --one-in 3
  setwise convert lichess_db_eval.jsonl.zst -o evals.bin --lossy --on-missing 0
  setwise convert data.csv -o data.bin --score-column value --scores-of white
  setwise convert games.pgn -o a.binpack --on-invalid skip --on-missing skip
  zcat a.gz | setwise convert - --input-format bin -o - -f text --lossy | head";

pub(super) const MAN_EXAMPLES: &str = "\
Example:
  mkdir -p ~/.local/share/man/man1 && setwise man ~/.local/share/man/man1";

pub(super) const MAPS_EXAMPLES: &str = "\
Examples:
  setwise maps games.epd -o maps.parquet
  setwise maps a.epd.gz b.epd.zst -o maps.npy --columns white_all,black_all
  zcat a.epd.gz | setwise maps - -o - --format csv --columns fen,default | head
  setwise maps puzzles.csv -o puzzles.parquet --keep PuzzleId,Rating
  setwise maps games.parquet -o maps.arrow --fen-column position
  setwise maps games.pgn.zst -o a.parquet --keep White,Black --on-invalid skip
  setwise maps a.binpack -o quiet.parquet --where 'checkers = 0 and capture = 0'
  setwise maps games.pgn -o strong.parquet --where 'WhiteElo >= 2400'
  setwise maps a.binpack -o inputs.parquet --features stockfish-threats-2026-08
  setwise maps scraped.txt -o maps.parquet --on-invalid skip --rejects bad.txt
  setwise maps --columns help";

pub(super) const SHOW_EXAMPLES: &str = "\
Examples:
  setwise show startpos
  setwise show games.epd:17 --map checkers,pinned
  setwise show '4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1' --map white_twice
  setwise show startpos --map threats
  setwise show startpos --svg start.svg
  setwise show --input games.epd --by-ply 20 --svg heat.svg
  setwise show --input games.pgn --compare 'result = 1' 'result = -1'
  setwise show --input scored.csv --types guess --compare 'cp > 0' 'cp < 0'";

pub(super) const SUCCESSORS_EXAMPLES: &str = "\
Examples:
  setwise successors positions.epd -o after.parquet
  setwise successors a.epd b.epd -o after.csv.gz
  setwise successors a.epd -o - | setwise maps - --input-format csv -o b.parquet";
