//! The look of the program's pictures: the page draws with the same.

use setwise::Role;
use setwise_draw::look;
use wasm_bindgen::prelude::*;

/// The outlines of pawn, knight, bishop, rook, queen and king, as elements of SVG in a square of 45 by 45.
#[wasm_bindgen]
pub fn outlines() -> Vec<String> {
    Role::ALL.iter().map(|&role| look::outline(role).to_owned()).collect()
}

/// Colours: seven for 0 to 6 attackers, nine for net control from -4 to 4, that of a map, of attacks, of defences.
#[wasm_bindgen]
pub fn colours() -> Vec<String> {
    let single = [look::MAP, look::ATTACKED, look::DEFENDED];
    let all = look::SCALE.iter().chain(&look::NET).chain(&single);
    all.map(|&colour| colour.to_owned()).collect()
}
