//! The choice of a backend: `SETWISE_EXPECT` names the one that `Kernel::detect` must choose on this
//! processor (or, without feature `std`, in this build). For emulated and for known machines.

mod common;

use setwise::{Backend, Kernel};

#[test]
fn the_fastest_backend_is_chosen() {
    let chosen = Kernel::detect().backend();
    assert_eq!(Backend::available().last(), Some(chosen));
    match std::env::var("SETWISE_EXPECT") {
        Ok(expected) => assert_eq!(chosen.name(), expected),
        Err(_) => {
            common::skipped(format_args!("chose {chosen}; SETWISE_EXPECT names no backend"));
        }
    }
}

#[test]
fn a_kernel_is_made_for_what_is_available_and_nothing_else() {
    for &backend in Backend::ALL {
        let kernel = Kernel::new(backend);
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
