//! What the system and the program tell each other: signals, streams that were closed before it began, and
//! how memory is shared among threads.
//!
//! None of this has a safe form, so this is the only file of the program with unsafe code.
#![cfg_attr(unix, allow(unsafe_code))]

#[cfg(unix)]
pub(crate) use unix::{on_end, stdout_was_closed};

#[cfg(not(unix))]
pub(crate) fn on_end(_: impl Fn() + Send + 'static) -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn stdout_was_closed() -> bool {
    false
}

/// Lets all threads take their memory from one place, where the system's allocator would give each its own.
///
/// What one thread has given back another can use then, so the memory of a run goes by what is under way, and not
/// by the number of threads: Parquet files with all columns took 152 MiB with eight threads, and take 93 (84 and
/// 77 with two). A position costs less than one allocation, so the threads hardly meet there.
pub(crate) fn share_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: no other thread has been started, and the parameter is one of the allocator's.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::mem::MaybeUninit;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::{flag, iterator::Signals, low_level::emulate_default_handler};

    /// Calls this before a signal ends the program, which it then does. Signals that the program was
    /// started to ignore, as `nohup` does, stay ignored.
    ///
    /// From now on a file that grows beyond the limit for files is an error of the write, and no signal.
    pub(crate) fn on_end(clean_up: impl Fn() + Send + 'static) -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let heard = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];
        let mut signals = Signals::new(heard.into_iter().filter(|&signal| !is_ignored(signal)))?;
        let listen = move || {
            for signal in &mut signals {
                clean_up();
                let _ = emulate_default_handler(signal);
            }
        };
        std::thread::Builder::new().name("signals".into()).spawn(listen)?;
        Ok(())
    }

    fn is_ignored(signal: libc::c_int) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: with a null pointer for the new action nothing is changed, and the old one is written
        // into memory of its type, for which zeroes are a value.
        let action = unsafe {
            libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
            action.assume_init()
        };
        action.sa_sigaction == libc::SIG_IGN
    }

    /// Whether standard output was closed when the program began.
    ///
    /// Rust opens closed streams as the null device before `main`, so by then it is too late to see.
    pub(crate) fn stdout_was_closed() -> bool {
        STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
    }

    static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    extern "C" fn look_at_stdout() {
        // SAFETY: asking for the flags of a descriptor, open or not, touches no memory.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        STDOUT_WAS_CLOSED.store(flags == -1, Ordering::Relaxed);
    }

    // SAFETY: the loader calls the functions of this section before `main`, with arguments that a function
    // of the C convention may leave alone. This one needs nothing of Rust's runtime and cannot panic.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    static BEFORE_MAIN: extern "C" fn() = look_at_stdout;
}
