//! The compiled half of the Python package: it takes what Python has (Arrow, numpy, lists of text), hands it
//! to the crates that compute, on as many threads as are asked for, and gives columns back. There is no chess
//! in it.
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(unreachable_pub)]

use pyo3::prelude::*;

mod columns;
mod error;
mod input;
mod maps;
mod numbers;
mod read;
mod show;
mod table;
mod tasks;

#[pymodule]
mod _setwise {
    #[pymodule_export]
    use super::maps::{all_columns, maps, maps_table, schema};
    #[pymodule_export]
    use super::numbers::{Text, attacks, feature_rows, feature_sets, features, pieces, threats};
    #[pymodule_export]
    use super::read::{Reader, read};
    #[pymodule_export]
    use super::show::show;
    #[pymodule_export]
    use super::table::{Schema, Table};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// What the processor can run, the best first.
    #[pyfunction]
    fn backends() -> Vec<&'static str> {
        let best = setwise::Kernel::detect().backend();
        let others = setwise::Backend::available().filter(|backend| *backend != best);
        std::iter::once(best).chain(others).map(setwise::Backend::name).collect()
    }
}
