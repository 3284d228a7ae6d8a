//! The library without the standard library: if `std` were linked, its panic handler would conflict with this one. The
//! program exits with status 0 if a bulk call matches the ray walk.
#![no_std]
#![no_main]

use core::panic::PanicInfo;

use setwise::{Kernel, reference};

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: it ends the process and takes no arguments.
    unsafe { abort() }
}

/// The compiled `core` refers to it for unwinding, which never happens here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

// The C library starts and ends the program, and provides `memcpy`.
#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let (mut occupied, mut orthogonal, mut diagonal) = ([0; 100], [0; 100], [0; 100]);
    let mut board = 1u64;
    for row in 0..100 {
        for column in [&mut occupied, &mut orthogonal, &mut diagonal] {
            // A linear congruential generator is random enough here.
            board = board.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            column[row] = board & board.rotate_left(23);
        }
    }
    let agrees = |kernel: Kernel| {
        let mut attacks = [0; 100];
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
        (0..100).all(|row| {
            attacks[row] == reference::slider_attacks(orthogonal[row], diagonal[row], occupied[row])
        })
    };
    let all_agree = Kernel::available().all(agrees);
    i32::from(!(all_agree && agrees(Kernel::built_in())))
}
