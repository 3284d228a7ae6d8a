//! Compares the choice of a backend with a handwritten list. `SETWISE_EXPECT` also names the backend that
//! `Kernel::detect` must choose on this processor (or, without the feature `std`, in this build): for emulated and for
//! known machines.

use setwise::processor::Features;
use setwise::{Backend, Kernel};

/// Returns whether the processor has the given instructions; without the feature `std`, whether the build enables them.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($($feature:tt)*) => {
        true $(&& if cfg!(feature = "std") {
            std::is_x86_feature_detected!($feature)
        } else {
            cfg!(target_feature = $feature)
        })*
    };
}

/// The backends that need certain instructions and have them on this machine, the fastest last.
#[cfg(target_arch = "x86_64")]
fn chosen_at_run_time() -> Vec<Backend> {
    let avx2 = has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt");
    let avx512 = avx2 && has!("avx512f" "avx512bw" "avx512vl" "avx512dq");
    let gfni = has!("gfni");
    let vbmi_and_bitalg = has!("avx512cd" "avx512vbmi" "avx512vbmi2" "avx512bitalg");
    let backends = [
        (avx2, Backend::Avx2),
        (avx2 && gfni, Backend::Avx2Gfni),
        (avx512, Backend::Avx512),
        (avx512 && gfni && vbmi_and_bitalg, Backend::Avx512Gfni),
    ];
    backends.into_iter().filter(|(has, _)| *has).map(|(_, backend)| backend).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn chosen_at_run_time() -> Vec<Backend> {
    Vec::new()
}

#[test]
fn the_fastest_backend_is_chosen() {
    let mut expected = vec![Backend::Scalar, Backend::Lanes, Backend::Wide];
    expected.extend(chosen_at_run_time());
    assert_eq!(Backend::available().collect::<Vec<_>>(), expected);

    #[cfg(feature = "std")]
    let chosen = Kernel::detect().backend();
    #[cfg(not(feature = "std"))]
    let chosen = Kernel::built_in().backend();
    assert_eq!(Some(&chosen), expected.last());
    if let Ok(expected) = std::env::var("SETWISE_EXPECT") {
        assert_eq!(chosen.name(), expected);
    }
}

#[test]
fn a_kernel_is_made_for_what_is_available_and_nothing_else() {
    for &backend in Backend::ALL {
        let kernel = Kernel::new(backend).ok();
        assert_eq!(kernel.is_some(), backend.is_available(), "{backend}");
        assert!(kernel.is_none_or(|kernel| kernel.backend() == backend));
    }
}

#[test]
fn every_name_leads_back_to_its_backend() {
    for &backend in Backend::ALL {
        assert_eq!(backend.name().parse(), Ok(backend));
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_names_there_are() {
    let message = "sse9".parse::<Backend>().expect_err("there is no such backend").to_string();
    for backend in Backend::available() {
        assert!(message.contains(backend.name()), "{message}");
    }
}

#[test]
fn a_set_includes_those_whose_features_it_has() {
    let of_backends: Vec<_> =
        Backend::ALL.iter().filter_map(|backend| backend.features()).collect();
    assert_eq!(of_backends, Features::ALL);
    for &set in Features::ALL {
        for &other in Features::ALL {
            let has_all = other.names().iter().all(|name| set.names().contains(name));
            assert_eq!(set.includes(other), has_all, "{set:?} {other:?}");
            assert!(!set.includes(other) || !set.is_available() || other.is_available());
        }
    }
}
