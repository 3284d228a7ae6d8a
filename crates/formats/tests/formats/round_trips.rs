//! Round trips: from rows to bytes and back, and from bytes to rows and back.

use proptest::prelude::*;
use setwise::{Colour, Pieces};
use setwise_formats::{Field, Format, Reader, Records, Writer};

use crate::oracles;
use crate::rows::{self, Row, row};

fn write(format: Format, batch: &Records) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = Writer::new(format, &mut file).expect("a format to be written");
    writer.write(batch).expect("the format has room for the rows");
    assert_eq!(writer.records(), batch.len() as u64);
    file
}

fn read(format: Format, file: &[u8]) -> Records {
    let mut batch = Records::new();
    Reader::new(format, file).read(usize::MAX, &mut batch).expect("the file is right");
    batch
}

/// The pieces from the point of view of the side to move.
fn turned(pieces: Pieces) -> Pieces {
    let [pawns, knights, bishops, rooks, queens, kings, white, black] =
        pieces.sets().map(u64::swap_bytes);
    Pieces { pawns, knights, bishops, rooks, queens, kings, white: black, black: white }
}

/// The columns that a format stores, with its conventions.
fn kept(format: Format, mut batch: Records) -> Records {
    batch.format = Some(format);
    if !format.keeps().contains(Field::Turn) {
        for (pieces, turn) in batch.pieces.iter_mut().zip(&batch.turn) {
            if *turn == Colour::Black {
                *pieces = turned(*pieces);
            }
        }
    }
    for field in Field::ALL.iter().filter(|&&field| !format.keeps().contains(field)) {
        match field {
            Field::Turn => batch.turn.clear(),
            Field::Castling => batch.castling.clear(),
            Field::EnPassant => batch.en_passant.clear(),
            Field::HalfmoveClock => batch.halfmove_clock.clear(),
            Field::FullmoveNumber => batch.fullmove_number.clear(),
            Field::Score => batch.score.clear(),
            Field::Result => batch.result.clear(),
            Field::Move => batch.moves.clear(),
            Field::Ply => batch.ply.clear(),
            Field::Extra => batch.extra.clear(),
            other => panic!("{other:?} is not known here"),
        }
    }
    batch
}

/// Changes a row so that its values fit the format.
fn fitted(format: Format, mut row: Row) -> Row {
    match format {
        Format::Marlin => {
            // The score for white must be within -32768 to 32767.
            row.score = row.score.max(-i16::MAX);
            row.extra &= 0xff;
        }
        Format::PackedSfen => {
            row.fen.castling.white &= 0b1000_0001;
            row.fen.castling.black &= 0b1000_0001;
            row.extra &= 0xff;
        }
        _ => {}
    }
    row
}

fn fixed() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| format.record_size().is_some())
}

proptest! {
    #[test]
    fn rows_come_back(rows in prop::collection::vec(row(), 0..20)) {
        for format in fixed() {
            let rows: Vec<Row> = rows.iter().cloned().map(|row| fitted(format, row)).collect();
            let mut batch = rows::batch(&rows);
            batch.format = Some(format);
            let file = write(format, &batch);
            prop_assert_eq!(Some(file.len()), format.record_size().map(|size| size * rows.len()));
            let back = read(format, &file);
            prop_assert_eq!(&back, &kept(format, batch));
            prop_assert_eq!(write(format, &back), file);
        }
    }

    /// A format can hold any row after `limit`, and values that fit do not change.
    #[test]
    fn limited_rows_can_be_written(
        row in row(),
        numbers in any::<[u32; 3]>(),
        score: i32,
        rooks: [u8; 2],
        with_ply: bool,
    ) {
        for format in fixed() {
            let mut batch = rows::batch(&[fitted(format, row.clone())]);
            batch.format = Some(format);
            let right = write(format, &batch);
            let mut same = batch.clone();
            same.limit(0, format);
            prop_assert_eq!(&same, &batch);

            batch.halfmove_clock[0] = numbers[0];
            batch.fullmove_number[0] = numbers[1];
            batch.score[0] = score;
            batch.castling[0] = setwise::fen::Castling { white: rooks[0], black: rooks[1] };
            batch.ply[0] = numbers[2];
            if !with_ply {
                batch.ply.clear();
            }
            batch.limit(0, format);
            if score != batch.score[0] {
                // One more does not fit.
                let mut further = batch.clone();
                further.score[0] += score.signum();
                let mut file = Vec::new();
                assert!(Writer::new(format, &mut file).unwrap().write(&further).is_err());
            }
            let file = write(format, &batch);
            prop_assert_eq!(file.len(), right.len());
            let (clock, fen) = (batch.halfmove_clock[0], read(format, &file).fen(0));
            if format != Format::Bullet {
                let max = if format == Format::PackedSfen { 127 } else { 255 };
                prop_assert_eq!((fen.halfmove_clock, clock), (numbers[0].min(max), numbers[0].min(max)));
            }
        }
    }

    #[test]
    fn fen_comes_back(row in row()) {
        let mut batch = Records::new();
        batch.push_fen(&row.fen);
        prop_assert_eq!(batch.fen(0), row.fen);
        let back = read(Format::Marlin, &write(Format::Marlin, &batch));
        prop_assert_eq!(back.fen(0), row.fen);
    }

    /// Valid records with some bytes changed.
    #[test]
    fn damaged_records_are_read_or_refused(
        rows in prop::collection::vec(row(), 1..6),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        for format in fixed() {
            let rows: Vec<Row> = rows.iter().cloned().map(|row| fitted(format, row)).collect();
            let mut batch = rows::batch(&rows);
            batch.format = Some(format);
            let mut file = write(format, &batch);
            for (at, byte) in &damage {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            oracles::any_bytes(format, &file);
            if format == Format::Marlin {
                oracles::any_bytes(Format::Viri, &file);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for &format in Format::ALL {
            oracles::any_bytes(format, &bytes);
        }
    }
}

/// The sample file with a byte changed.
#[test]
fn damaged_games_are_read_or_refused() {
    let sample = include_bytes!("../data/games.binpack");
    let mut state = 1u64;
    let mut next = |end: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let mut refused = 0;
    for _ in 0..200 {
        // A block of at most 1,500 bytes that claims any size.
        let mut file = sample[..8 + next(1500)].to_vec();
        let size = file.len() as u32 - 8;
        file[4..8].copy_from_slice(&size.to_le_bytes());
        if !file.is_empty() && next(4) > 0 {
            let at = next(file.len());
            file[at] ^= 1 << next(8);
        }
        oracles::any_bytes(Format::Binpack, &file);
        refused +=
            usize::from(oracles::events(Format::Binpack, &file[..], 64).iter().any(Result::is_err));
    }
    assert!(refused > 100, "{refused} of 200");
}
