//! The compiled module of the Python package: it converts Python's data (Arrow, numpy, lists of text), passes it to the
//! other crates with the requested number of threads, and returns columns. It contains no chess logic.
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(unreachable_pub)]

use pyo3::prelude::*;

mod error;
mod feature_sets;
mod heat;
mod input;
mod loader;
mod maps;
mod numbers;
mod query;
mod read;
mod show;
mod successors;
mod table;

#[pymodule]
mod _setwise {
    #[pymodule_export]
    use super::feature_sets::FeatureSet;
    #[pymodule_export]
    use super::heat::{draw_heat, heat};
    #[pymodule_export]
    use super::input::Positions;
    #[pymodule_export]
    use super::loader::{Loader, check_fingerprint, named_sampling};
    #[pymodule_export]
    use super::maps::{all_columns, is_board, maps, maps_table, schema, to_fen};
    #[pymodule_export]
    use super::numbers::{feature_rows, feature_sets, fill, lists};
    #[pymodule_export]
    use super::query::Query;
    #[pymodule_export]
    use super::read::{Reader, files, read};
    #[pymodule_export]
    use super::show::show;
    #[pymodule_export]
    use super::successors::successors;
    #[pymodule_export]
    use super::table::{Schema, Table, table_of, table_of_stream};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        use numpy::PyArrayMethods;
        // Import numpy's API here. The first use of an array imports it and panics if a signal interrupts the import.
        drop(numpy::PyArray1::<u64>::zeros(module.py(), 1, false).readonly());
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Lists the backends that the processor supports, from the simplest to the fastest, which is the default.
    #[pyfunction]
    fn backends() -> Vec<&'static str> {
        setwise::Backend::available().map(setwise::Backend::name).collect()
    }
}
