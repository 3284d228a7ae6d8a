//! The outlines and colours of the program's pictures, which the page uses too.

use setwise::Role;
use setwise_draw::look;
use wasm_bindgen::prelude::*;

/// Returns the outlines of pawn, knight, bishop, rook, queen and king, as SVG elements in a square of 45 by 45.
#[wasm_bindgen]
pub fn outlines() -> Vec<String> {
    Role::ALL.iter().map(|&role| look::outline(role).to_owned()).collect()
}

/// Returns colours: seven for 0 to 6 attackers, nine for net control from -4 to 4, and those of maps, attacks and
/// defences.
#[wasm_bindgen]
pub fn colours() -> Vec<String> {
    let single = [look::MAP, look::ATTACKED, look::DEFENDED];
    let all = look::SCALE.iter().chain(&look::NET).chain(&single);
    all.map(|&colour| colour.to_owned()).collect()
}
