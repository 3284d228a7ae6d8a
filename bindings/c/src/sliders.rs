//! Slider attacks on many boards: columns in, columns out.

use crate::buffers::checked;
use crate::error::setwise_status;
use crate::kernel::{chosen, setwise_kernel};

/// The squares that the sliders of each row attack: setwise_sliders_attacks() for `count` rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_sliders_fill_attacks(
    kernel: *const setwise_kernel,
    count: usize,
    orthogonal: *const u64,
    diagonal: *const u64,
    occupied: *const u64,
    attacks: *mut u64,
) -> setwise_status {
    // SAFETY: the kernel is null or one of ours, and the other pointers are the caller's.
    checked(|arrays| unsafe {
        let occupied = arrays.read("occupied", occupied, count)?;
        let orthogonal = arrays.read("orthogonal", orthogonal, count)?;
        let diagonal = arrays.read("diagonal", diagonal, count)?;
        let attacks = arrays.write("attacks", attacks, count)?;
        chosen(kernel).slider_attacks(orthogonal, diagonal, occupied, attacks);
        Ok(())
    })
}

/// The rays of the sliders of each row, in eight buffers of `count` sets, one for each direction in the order of
/// setwise_rays: north, south, east, west, north-east, north-west, south-east, south-west.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_sliders_fill_rays(
    kernel: *const setwise_kernel,
    count: usize,
    orthogonal: *const u64,
    diagonal: *const u64,
    occupied: *const u64,
    rays: *const *mut u64,
) -> setwise_status {
    // SAFETY: the kernel is null or one of ours, and the other pointers are the caller's.
    checked(|arrays| unsafe {
        let rays: [*mut u64; 8] = *arrays.read_array("rays", rays)?;
        let occupied = arrays.read("occupied", occupied, count)?;
        let orthogonal = arrays.read("orthogonal", orthogonal, count)?;
        let diagonal = arrays.read("diagonal", diagonal, count)?;
        let mut written = [(); 8].map(|()| &mut [][..]);
        for (written, ray) in written.iter_mut().zip(rays) {
            *written = arrays.write("rays", ray, count)?;
        }
        chosen(kernel).slider_rays(orthogonal, diagonal, occupied, written);
        Ok(())
    })
}
