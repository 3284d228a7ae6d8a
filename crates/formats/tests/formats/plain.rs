//! Invalid records of `.plain`, and rows that its reader would refuse.

use setwise_formats::{ErrorKind, Format, Reader, Records, Writer};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn record(played: &str) -> String {
    format!("fen {START}\nmove {played}\nscore 54\nply 0\nresult 1\ne\n")
}

#[test]
fn reading_continues_after_an_invalid_record() {
    let second = record("e2e4").replace("score 54", "score x");
    let file = [record("e2e5"), record("e2e4"), second, record("d2d4"), "fen".into()].concat();
    let mut reader = Reader::new(Format::Plain, file.as_bytes());
    let (mut batch, mut found) = (Records::new(), Vec::new());
    loop {
        let result = reader.read(100, &mut batch);
        found.extend(batch.moves.iter().map(|played| played.expect("a move").to_string()));
        match result {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                assert!(error.resumes());
                found.push(error.to_string());
            }
        }
    }
    let length = record("e2e4").len();
    let (first, third, last) = (START.len() + 5, 2 * length + START.len() + 15, 4 * length - 1);
    assert_eq!(
        found,
        [
            &format!(
                "record 1, byte {first}: line 2: expected a legal move in UCI notation, found `move e2e5`"
            ),
            "e2e4",
            &format!(
                "record 3, byte {third}: line 15: expected a score of 16 bits, found `score x`"
            ),
            "d2d4",
            &format!(
                "record 5, byte {last}: expected the line `e` after the record that begins on line 25, found the \
                 end of the file"
            ),
        ]
    );
}

#[test]
fn a_keyword_appears_once_in_a_record() {
    for keyword in ["move e2e4", "score 54", "ply 0", "result 1"] {
        let word = keyword.split(' ').next().expect("a word");
        let file = record("e2e4").replace("e\n", &format!("{keyword}\ne\n"));
        let file = file.replacen(&format!("e2{keyword}\n"), "e2e", 1);
        let error = Reader::new(Format::Plain, file.as_bytes()).read(9, &mut Records::new());
        let error = error.expect_err("twice").to_string();
        let expected = format!("line 6: expected one line `{word}` per record, found `{keyword}`");
        assert!(error.ends_with(&expected), "{error}");
    }
}

/// A packed record can store a move that is not legal.
#[test]
fn illegal_moves_are_not_written() {
    let mut rows = Records::new();
    Reader::new(Format::Plain, record("e2e4").repeat(2).as_bytes())
        .read(9, &mut rows)
        .expect("reads");
    let mut file = Vec::new();
    let mut writer = Writer::new(Format::PackedSfen, &mut file).expect("writes");
    writer.write(&rows).expect("fits");
    drop(writer);
    // The destination: bits 0 to 5 of the move.
    file[34] = file[34] & !63 | 36;
    Reader::new(Format::PackedSfen, &file[..]).read(9, &mut rows).expect("reads");
    assert_eq!(rows.moves[0].expect("a move").to_string(), "e2e5");
    let mut text = Vec::new();
    let mut writer = Writer::new(Format::Plain, &mut text).expect("writes");
    let error = writer.write(&rows).expect_err("an illegal move");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let expected =
        format!("record 1, byte 0: expected a legal move, found `e2e5` in the position {START}");
    assert_eq!(error.to_string(), expected);
    writer.write_rows(&rows, 1..2).expect("a legal move");
    drop(writer);
    assert_eq!(text, record("e2e4").as_bytes());
}
