//! Conversions to positions: every piece on every square survives each of the conversions, and invalid squares are
//! rejected.

use setwise::{ByColour, Colour, Pieces, Role};

/// Every colour and role on every square, alone.
fn each() -> impl Iterator<Item = (Colour, Role, u8)> {
    (0..64).flat_map(|square| {
        Colour::ALL
            .into_iter()
            .flat_map(move |colour| Role::ALL.into_iter().map(move |role| (colour, role, square)))
    })
}

#[test]
fn one_piece_comes_back_from_every_way_in() {
    for (colour, role, square) in each() {
        let bit = 1_u64 << square;
        let mut expected = Pieces::from_sets([0; 8]);
        match role {
            Role::Pawn => expected.pawns = bit,
            Role::Knight => expected.knights = bit,
            Role::Bishop => expected.bishops = bit,
            Role::Rook => expected.rooks = bit,
            Role::Queen => expected.queens = bit,
            Role::King => expected.kings = bit,
        }
        match colour {
            Colour::White => expected.white = bit,
            Colour::Black => expected.black = bit,
        }
        let at = format!("{colour:?} {role:?} on {square}");

        let mut put = Pieces::EMPTY;
        put.put(colour, role, square);
        assert_eq!(put, expected, "{at}");
        assert_eq!(put.at(square), Some((colour, role)), "{at}");

        let mut mailbox = [None; 64];
        mailbox[usize::from(square)] = Some((colour, role));
        assert_eq!(Pieces::from_mailbox(&mailbox), expected, "{at}");

        let collected: Pieces = [(colour, role, square)].into_iter().collect();
        assert_eq!(collected, expected, "{at}");

        let mut sets = [[0; 6]; 2];
        sets[usize::from(colour == Colour::Black)][role as usize] = bit;
        assert_eq!(Pieces::from_bitboards(sets), expected, "{at}");
    }
}

#[test]
fn a_full_mailbox_keeps_its_last_square() {
    let mailbox =
        std::array::from_fn(|square| Some((Colour::ALL[square % 2], Role::ALL[square % 6])));
    let pieces = Pieces::from_mailbox(&mailbox);
    assert_eq!(pieces.occupied(), !0);
    let list = (0..).zip(mailbox).filter_map(|(square, piece)| {
        let (colour, role) = piece?;
        Some((colour, role, square))
    });
    assert_eq!(list.collect::<Pieces>(), pieces);
    for (square, piece) in (0..).zip(mailbox) {
        assert_eq!(pieces.at(square), piece, "{square}");
    }
}

/// Of several roles the first counts, of both colours white; without a role or a colour there is no piece.
#[test]
fn of_several_pieces_on_a_square_the_first_counts() {
    for square in [0, 29, 63] {
        for sets in 0..1_u64 << 8 {
            let mut bits = 0..8;
            let pieces = Pieces::EMPTY.map(|_| (sets >> bits.next().expect("a set") & 1) << square);
            let role = Role::ALL.into_iter().find(|&role| pieces.role(role) != 0);
            let colour = Colour::ALL.into_iter().find(|&colour| pieces.colour(colour) != 0);
            assert_eq!(pieces.at(square), colour.zip(role), "{sets:b}");
        }
    }
}

#[test]
fn a_board_is_drawn_with_rank_8_on_top() {
    let mut pieces = Pieces::EMPTY;
    pieces.put(Colour::White, Role::Knight, 1);
    pieces.put(Colour::Black, Role::Queen, 63);
    let lines: Vec<String> = pieces.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "8  . . . . . . . q");
    assert_eq!(lines[7], "1  . N . . . . . .");
    assert_eq!(lines[9], "   a b c d e f g h");
}

#[test]
fn values_by_colour_are_in_their_places() {
    let mut both = ByColour::new(|colour| colour as u8);
    both[Colour::Black] = 7;
    assert_eq!((both[Colour::White], both[Colour::Black], both.black), (0, 7, 7));
}

#[cfg(feature = "cozy-chess")]
#[test]
fn names_of_cozy_chess_mean_the_same() {
    use cozy_chess::{Board, Color, Piece};

    for (role, piece) in Role::ALL.into_iter().zip([
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
        Piece::King,
    ]) {
        assert_eq!((Piece::from(role), Role::from(piece)), (piece, role));
    }
    for colour in Colour::ALL {
        assert_eq!(Colour::from(Color::from(colour)), colour);
    }
    let board: Board = "4k3/8/8/8/8/8/1q6/4K3 b - - 0 1".parse().expect("a board");
    let pieces = Pieces::from(&board);
    assert_eq!(pieces.of(Color::Black.into(), Piece::Queen.into()), 1 << 9);
}

#[test]
fn long_names_are_cut_between_characters() {
    let said = |name: &str| name.parse::<Role>().unwrap_err().to_string();
    assert!(said("rok").starts_with("no role is called `rok`; "));
    let long = "x".repeat(39);
    assert!(said(&(long.clone() + "éé")).starts_with(&format!("no role is called `{long}…`; ")));
}
