//! Slider attacks on many boards: columns in, columns out.

use crate::buffers::{Checked, input_slice, output_slice};
use crate::error::{setwise_status, status_of};
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
    status_of(|| {
        let mut checked = Checked::default();
        let inputs = [("occupied", occupied), ("orthogonal", orthogonal), ("diagonal", diagonal)];
        for (name, input) in inputs {
            checked.input(name, input, count)?;
        }
        checked.output("attacks", attacks, count)?;
        // SAFETY: all four were checked, and no input reaches into the output.
        let (kernel, [occupied, orthogonal, diagonal], attacks) = unsafe {
            (
                chosen(kernel),
                inputs.map(|(_, input)| input_slice(input, count)),
                output_slice(attacks, count),
            )
        };
        kernel.slider_attacks(orthogonal, diagonal, occupied, attacks);
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
    status_of(|| {
        let mut checked = Checked::default();
        checked.input("rays", rays, 8)?;
        // SAFETY: it was checked.
        let rays = unsafe { *rays.cast::<[*mut u64; 8]>() };
        let inputs = [("occupied", occupied), ("orthogonal", orthogonal), ("diagonal", diagonal)];
        for (name, input) in inputs {
            checked.input(name, input, count)?;
        }
        for ray in rays {
            checked.output("rays", ray, count)?;
        }
        // SAFETY: all were checked; no input reaches into an output, and no output into another.
        let (kernel, [occupied, orthogonal, diagonal], rays) = unsafe {
            (
                chosen(kernel),
                inputs.map(|(_, input)| input_slice(input, count)),
                rays.map(|ray| output_slice(ray, count)),
            )
        };
        kernel.slider_rays(orthogonal, diagonal, occupied, rays);
        Ok(())
    })
}
