//! `setwise backends`: lists the backends and marks the supported ones and the chosen one.

use std::fmt::Write;

use anstyle::Style;
use anyhow::Result;
use setwise::{Backend, Kernel};

pub(crate) fn run() -> Result<()> {
    let chosen = Kernel::detect().backend();
    let mut text = format!("   {:<14} {:>6}  description\n", "backend", "boards");
    for &backend in Backend::ALL {
        let (mark, style) = match backend {
            _ if backend == chosen => ("*", Style::new().bold()),
            _ if backend.is_available() => ("+", Style::new()),
            _ => (" ", Style::new().dimmed()),
        };
        let (name, boards, what) =
            (backend.name(), backend.boards_per_block(), backend.description());
        writeln!(text, " {style}{mark} {name:<14} {boards:>6}  {what}{style:#}")?;
    }
    writeln!(text, "\n* chosen   + also supported by this processor ({})", std::env::consts::ARCH)?;
    crate::console::print(text.as_bytes())
}
