//! Lists: threats and network inputs in every format that can hold them, and `show --map threats`.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, UInt16Type, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use setwise::{ByColour, Colour, Fen};
use setwise_nnue::FeatureSet;
use setwise_nnue::position;

use crate::run::{Folder, sample};

/// The library's lists for one position.
fn expected(line: &str) -> Vec<u32> {
    let fen = Fen::parse(line).expect(line);
    position::threats(&fen.pieces).iter().map(|threat| threat.bits().into()).collect()
}

/// Returns the lists of a column of a file. Nulls become empty lists, because CSV cannot distinguish the two.
fn lists(folder: &Folder, name: &str, column: &str) -> Vec<Vec<u32>> {
    let bytes = folder.read(name);
    if name.ends_with("csv") {
        let text = String::from_utf8(bytes).unwrap();
        let mut lines = text.lines();
        let header = lines.next().unwrap().split(',');
        let place = header.rev().position(|name| name == column).unwrap();
        let cell = |line: &str| line.rsplit(',').nth(place).unwrap().to_owned();
        let list =
            |cell: String| cell.split_whitespace().map(|number| number.parse().unwrap()).collect();
        return lines.map(cell).map(list).collect();
    }
    let batches: Vec<RecordBatch> = if name.ends_with("parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
        reader.build().unwrap().map(Result::unwrap).collect()
    } else {
        let reader = FileReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
        reader.map(Result::unwrap).collect()
    };
    let list = |list: Option<ArrayRef>| -> Vec<u32> {
        let Some(list) = list else { return vec![] };
        match list.data_type() {
            DataType::UInt16 => {
                list.as_primitive::<UInt16Type>().values().iter().map(|&item| item.into()).collect()
            }
            DataType::Int16 => {
                let items = list.as_primitive::<Int16Type>().values().iter();
                items.map(|&item| item.cast_unsigned().into()).collect()
            }
            DataType::UInt32 => list.as_primitive::<UInt32Type>().values().to_vec(),
            DataType::Int32 => {
                let items = list.as_primitive::<Int32Type>().values().iter();
                items.map(|&item| item.cast_unsigned()).collect()
            }
            other => panic!("{other}"),
        }
    };
    let column = |batch: &RecordBatch| batch.column_by_name(column).unwrap().clone();
    let lists = |batch: &RecordBatch| -> Vec<Vec<u32>> {
        column(batch).as_list::<i64>().iter().map(list).collect()
    };
    batches.iter().flat_map(lists).collect()
}

#[test]
fn threats_of_text_and_tables_agree_with_the_library() {
    let folder = Folder::new();
    let sample = sample();
    let lines: Vec<&str> = sample.lines().take(300).collect();
    folder.write("in.epd", lines.join("\n"));
    let table: String = lines.iter().map(|line| format!("\"{line}\"\n")).collect();
    folder.write("in.csv", format!("fen\n{table}"));
    folder.succeed("maps in.csv -q -o in.parquet -c turn");
    folder.succeed("convert in.epd -q -o in.marlin --lossy --on-missing 0");
    let wanted: Vec<_> = lines.iter().map(|line| expected(line)).collect();
    for input in ["in.epd", "in.csv", "in.parquet", "in.marlin"] {
        for sizes in ["", "--batch-lines 37 --chunk-rows 10 --threads 3", "--signed"] {
            for output in ["out.parquet", "out.arrow", "out.csv"] {
                let command = format!("maps {input} -q -o {output} -c white_all,threats,kings");
                folder.succeed(&format!("{command} {sizes}"));
                assert!(lists(&folder, output, "threats") == wanted, "{input} {output} {sizes}");
            }
        }
    }
}

#[test]
fn network_inputs_agree_with_the_library() {
    let folder = Folder::new();
    let sample = sample();
    let mut lines: Vec<&str> = sample.lines().take(200).collect();
    folder.write("in.epd", lines.join("\n"));
    folder.succeed("convert in.epd -q -o in.marlin --lossy --on-missing 0");
    lines.insert(50, "8/8/8/8/8/8/8/KR6 w - -"); // records require a black king
    folder.write("in.epd", lines.join("\n"));
    let table: String = lines.iter().map(|line| format!("\"{line}\"\n")).collect();
    folder.write("in.csv", format!("fen\n{table}"));
    let set = &FeatureSet::STOCKFISH_THREATS_2025_11;
    let inputs = |line: &&str, side| -> Vec<u32> {
        let pieces = Fen::parse(line).expect(line).pieces;
        let Ok(_) = set.perspective(&pieces, Colour::Black) else { return vec![] };
        let sees = set.perspective(&pieces, side).unwrap();
        position::threats(&pieces).iter().filter_map(|&pair| sees.input(&pieces, pair)).collect()
    };
    let wanted =
        Colour::ALL.map(|side| lines.iter().map(|line| inputs(line, side)).collect::<Vec<_>>());
    for input in ["in.epd", "in.csv", "in.marlin"] {
        for asked in ["", "-c turn --batch-lines 37 --chunk-rows 10 --threads 3", "--signed"] {
            for output in ["out.parquet", "out.arrow", "out.csv"] {
                let set = "--features stockfish-threats-2025-11 --keep none";
                folder.succeed(&format!("maps {input} -q -o {output} {set} {asked}"));
                for (name, wanted) in ["white_features", "black_features"].iter().zip(&wanted) {
                    let mut wanted = wanted.clone();
                    if input == "in.marlin" {
                        wanted.remove(50);
                    }
                    assert!(lists(&folder, output, name) == wanted, "{input} {output} {asked}");
                }
                if output == "out.csv" {
                    let text = String::from_utf8(folder.read(output)).unwrap();
                    let columns = if asked.contains("turn") { 3 } else { 2 };
                    assert_eq!(text.lines().next().unwrap().split(',').count(), columns, "{asked}");
                }
            }
        }
    }
}

/// All blocks, by the name of the set and by the names of its parts.
#[test]
fn inputs_of_several_blocks() {
    let folder = Folder::new();
    folder.write("in.epd", sample());
    let set = &FeatureSet::NNUE_PYTORCH_2026_07;
    let wanted = Colour::ALL.map(|colour| {
        let inputs = |line: &str| {
            let pieces = Fen::parse(line).expect(line).pieces;
            let mut both = [vec![0; set.buffer_len()], vec![0; set.buffer_len()]];
            let [white, black] = both.each_mut().map(|side| &mut side[..]);
            let counts = position::inputs(set, &pieces, ByColour { white, black }).expect(line);
            both[colour as usize][..counts[colour]].to_vec()
        };
        sample().lines().map(inputs).collect::<Vec<Vec<u32>>>()
    });
    for name in ["nnue-pytorch-2026-07", "stockfish-threats-2026-08+pawn-pairs-3-wide+halfka-hm"] {
        folder.succeed(&format!("maps in.epd -q -o out.parquet --features {name}"));
        for (name, wanted) in ["white_features", "black_features"].iter().zip(&wanted) {
            assert!(lists(&folder, "out.parquet", name) == *wanted);
        }
    }
    let said = folder.fail(2, "maps in.epd -o out.csv --features halfka-hm+halfka-hm");
    assert!(said.contains("overlap"), "{said}");
}

#[test]
fn inputs_need_an_existing_set() {
    let folder = Folder::new();
    folder.write("in.epd", sample());
    let said = folder.fail(2, "maps in.epd -o out.csv --features stockfish-threats-2026-09");
    assert!(said.contains("stockfish-threats-2026-08"), "{said}");
    let said = folder.fail(2, "maps in.epd -o out.csv -c white_features");
    assert!(
        said.contains("column `white_features` needs --features, which names the feature set"),
        "{said}"
    );
    let said = folder.fail(2, "maps in.epd -o out.npy --features stockfish-threats-2026-08");
    assert!(said.contains("cannot have the column `white_features`"), "{said}");
}

#[test]
fn rows_without_a_position_are_empty_cells() {
    let folder = Folder::new();
    folder
        .write("in.csv", "fen\nno position\n\"8/8/8/8/8/8/8/KR6 w - -\"\n8/8/8/8/8/8/8/K7 w - -\n");
    let written =
        folder.run("maps in.csv -q -o - -f csv --keep none --on-invalid null -c turn,threats");
    assert_eq!(written.status, Some(0), "{}", written.stderr);
    let text = String::from_utf8(written.stdout).unwrap();
    // From b1 to a1 and back: 256 * to + from.
    assert_eq!(text, "turn,threats\n,\n0,1 256\n0,\n");
}

#[test]
fn numpy_has_no_lists() {
    let folder = Folder::new();
    folder.write("in.epd", sample());
    let said = folder.fail(2, "maps in.epd -o out.npy -c threats");
    let expected = "a .npy file has no lists: it cannot have the column `threats`";
    assert!(said.contains(expected), "{said}");
    // The preset of all columns does not include threats.
    folder.succeed("maps in.epd -q -o out.npy -c all");
}

const SHOWN: &str = "
4 threats by white
Re1  Kg1 e4
Kg1  xh2
e4   xd5

2 threats by black
h2   xKg1
d5   xe4
";

#[test]
fn threats_are_shown_by_side_and_piece() {
    let folder = Folder::new();
    let fen = "4k3/8/8/3p4/4P3/8/7p/4R1K1 w - - 0 1";
    let shown = String::from_utf8(folder.succeed(&format!("show {fen} --map threats"))).unwrap();
    assert!(shown.ends_with(SHOWN), "{shown}");
    let one = "4k3/8/8/3p4/4P3/8/8/8 w - - 0 1";
    let shown = String::from_utf8(folder.succeed(&format!("show {one} -m threats"))).unwrap();
    assert!(
        shown.ends_with("\n1 threat by white\ne4   xd5\n\n1 threat by black\nd5   xe4\n"),
        "{shown}"
    );
    let both =
        String::from_utf8(folder.succeed("show startpos -m white_all,threats,turn")).unwrap();
    assert!(
        both.contains("white_all") && both.contains("\nturn") && both.contains("\nBf1  e2 g2\n")
    );
    assert_eq!(both.matches("20 threats by").count(), 2);
}

#[test]
fn arrows_are_drawn_between_the_squares() {
    let folder = Folder::new();
    let fen = "4k3/8/8/3p4/4P3/8/8/4R1K1 w - - 0 1";
    let svg = folder.succeed(&format!("show {fen} --svg - --map threats"));
    let svg = String::from_utf8(svg).unwrap();
    let count = |text: &str| svg.matches(text).count();
    // Arrows on two boards, and one of each colour in the legend.
    assert_eq!(count("<use "), 2 * 5);
    assert_eq!(count("<line "), expected(fen).len() + 2);
    assert_eq!(count("marker-end=\"url(#tip-d6402f)\""), 2 + 1);
    assert_eq!(count("marker-end=\"url(#tip-2c7fb8)\""), 2 + 1);
    assert_eq!(count("<marker "), 2);
    // From e4 to d5 on white's board: one square to the left and one up.
    let size = 56;
    let (x, y) = (34 + 4 * size + size / 2, 44 + 62 + 4 * size + size / 2);
    let arrow = format!("x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{}\"", x - size, y - size);
    assert_eq!(count(&arrow), 1, "{svg}");
    assert!(svg.contains("Threats, White to move"));
    // The arrows of rooks on a1 and h1 that defend each other are moved to their right.
    let rooks = "4k3/8/8/3p4/4P3/8/4K3/R6R w - -";
    let svg = folder.succeed(&format!("show {rooks} --svg - --map threats"));
    let svg = String::from_utf8(svg).unwrap();
    for arrow in
        ["x1=\"62\" y1=\"532\" x2=\"454\" y2=\"532\"", "x1=\"454\" y1=\"520\" x2=\"62\" y2=\"520\""]
    {
        assert!(svg.contains(arrow), "{arrow}: {svg}");
    }
    // One of 36 legal moves is a capture; the legend has an arrow of each colour.
    let svg = folder.succeed(&format!("show {rooks} --svg - --map legal_moves"));
    let svg = String::from_utf8(svg).unwrap();
    for (colour, moves) in [("d6402f", 1), ("2c7fb8", 35)] {
        assert_eq!(svg.matches(&format!("url(#tip-{colour})")).count(), moves + 1);
    }
    let with_a_map = folder.succeed("show startpos --svg - --map threats,white_all");
    let with_a_map = String::from_utf8(with_a_map).unwrap();
    assert!(with_a_map.contains("in the map") && with_a_map.contains(">defends<"));
    let without = String::from_utf8(folder.succeed("show startpos --svg - -m white_all")).unwrap();
    assert!(!without.contains("<marker") && !without.contains("<line"));
}
