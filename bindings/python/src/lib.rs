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
mod signals;
mod successors;
mod table;

#[pymodule]
mod _setwise {
    use super::*;
    #[pymodule_export]
    use super::{
        feature_sets::FeatureSet,
        heat::{draw_heat, heat},
        input::Positions,
        loader::{Loader, check_fingerprint, named_sampling},
        maps::{all_columns, is_board, maps, maps_table, schema, to_fen},
        numbers::{feature_rows, feature_sets, fill, lists},
        query::Query,
        read::{Reader, files, read},
        show::show,
        successors::successors,
        table::{Schema, Table, table_of, table_of_stream},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        use numpy::PyArrayMethods;
        // Import numpy's API here. The first use of an array imports it and panics if a signal interrupts the import.
        drop(numpy::PyArray1::<u64>::zeros(module.py(), 1, false).readonly());
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.delattr("__all__") // which the stub would have to repeat
    }

    /// Lists the backends that the processor supports, from the simplest to the fastest, which is the default.
    #[pyfunction]
    fn backends() -> Vec<&'static str> {
        setwise::Backend::available().map(setwise::Backend::name).collect()
    }
}
