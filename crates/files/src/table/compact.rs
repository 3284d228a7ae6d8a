//! Copies rows out of buffers that they share with other rows.
//!
//! Slices of a batch share its buffers. Arrow IPC writes only the part of a buffer that a slice covers, except for the
//! text of views, the items of list views, and dictionaries, which it writes whole with every slice.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::ByteViewType;
use arrow_array::{
    Array, ArrayRef, GenericByteViewArray, RecordBatch, RecordBatchOptions, make_array,
};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, UnionMode};
use arrow_select::dictionary::garbage_collect_any_dictionary;

/// Returns rows whose buffers have no data of other rows, to write them as Arrow IPC. Copies only what is shared. With
/// `dictionaries`, values that no row has are removed from dictionaries; otherwise these stay as they are, because a
/// file or a stream writes an unchanged dictionary once.
///
/// # Errors
/// If the copies exceed the limits of Arrow's types.
pub fn compact(rows: RecordBatch, dictionaries: bool) -> Result<RecordBatch, ArrowError> {
    let (schema, columns, count) = rows.into_parts();
    let columns = columns.iter().map(|column| compacted(column, dictionaries));
    let options = RecordBatchOptions::new().with_row_count(Some(count));
    RecordBatch::try_new_with_options(schema, columns.collect::<Result<_, _>>()?, &options)
}

fn compacted(array: &ArrayRef, dictionaries: bool) -> Result<ArrayRef, ArrowError> {
    Ok(match array.data_type() {
        DataType::Utf8View => views(array, array.as_string_view()),
        DataType::BinaryView => views(array, array.as_binary_view()),
        DataType::Dictionary(..) if dictionaries => {
            let array = garbage_collect_any_dictionary(array.as_any_dictionary())?;
            let array = array.as_any_dictionary();
            array.with_values(compacted(array.values(), dictionaries)?)
        }
        _ if shares(array, dictionaries) => {
            // Copies the items of these rows, but not the text to which they refer.
            let shared = array.to_data();
            let mut copy = MutableArrayData::new(vec![&shared], false, array.len());
            copy.try_extend(0, 0, array.len())?;
            let data = copy.freeze();
            let items = data
                .child_data()
                .iter()
                .map(|items| Ok(compacted(&make_array(items.clone()), dictionaries)?.to_data()));
            let items = items.collect::<Result<_, ArrowError>>()?;
            make_array(data.into_builder().child_data(items).build()?)
        }
        _ => array.clone(),
    })
}

/// Copies the text of views if their buffers have more.
fn views<T: ByteViewType>(array: &ArrayRef, views: &GenericByteViewArray<T>) -> ArrayRef {
    let bytes: usize = views.data_buffers().iter().map(|buffer| buffer.len()).sum();
    if views.total_buffer_bytes_used() < bytes { Arc::new(views.gc()) } else { array.clone() }
}

/// Returns whether a slice of this type shares data with the rows around it.
fn shares(array: &dyn Array, dictionaries: bool) -> bool {
    use DataType::{BinaryView, Dictionary, LargeListView, ListView, Union, Utf8View};
    match array.data_type() {
        Utf8View | BinaryView | ListView(_) | LargeListView(_) | Union(_, UnionMode::Dense) => true,
        Dictionary(..) => dictionaries,
        _ => {
            let data = array.to_data();
            data.child_data().iter().any(|items| shares(&make_array(items.clone()), dictionaries))
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;
    use arrow_array::{
        BinaryViewArray, DictionaryArray, LargeListViewArray, ListArray, ListViewArray, MapArray,
        StringArray, StringViewArray, StructArray,
    };
    use arrow_buffer::OffsetBuffer;
    use arrow_ipc::reader::StreamReader;
    use arrow_ipc::writer::StreamWriter;
    use arrow_schema::{Field, Fields};

    use super::*;

    const ROWS: usize = 1000;

    /// Columns of each type that shares data, with text too long to be stored in a view.
    fn table() -> RecordBatch {
        let text = || (0..ROWS).map(|row| Some(format!("a text that is long: {row:09}")));
        let views: ArrayRef = Arc::new(text().collect::<StringViewArray>());
        let field = |name: &str, array: &ArrayRef| {
            Arc::new(Field::new(name, array.data_type().clone(), false))
        };
        let item = field("item", &views);
        let ends = OffsetBuffer::<i32>::from_lengths(vec![1; ROWS]);
        let list: ArrayRef =
            Arc::new(ListArray::new(item.clone(), ends.clone(), views.clone(), None));
        let pair = StructArray::from(vec![
            (field("keys", &views), views.clone()),
            (field("values", &list), list.clone()),
        ]);
        let entries = Arc::new(Field::new("entries", pair.data_type().clone(), false));
        let map = MapArray::new(entries, ends, pair.clone(), None, false);
        let starts = (0..ROWS as i32).rev().collect::<Vec<_>>();
        let list_view =
            ListViewArray::new(item, starts.into(), vec![1; ROWS].into(), views.clone(), None);
        let numbers = LargeListViewArray::from_iter_primitive::<Int32Type, _, _>(
            (0..ROWS as i32).map(|row| Some(vec![Some(row); 8])),
        );
        let keys = (0..ROWS as i32).collect::<Vec<_>>();
        let dictionary = DictionaryArray::<Int32Type>::new(keys.into(), views.clone());
        let of_dictionary: ArrayRef = Arc::new(dictionary.clone());
        let structs = StructArray::new(
            Fields::from(vec![field("dictionary", &of_dictionary)]),
            vec![of_dictionary],
            None,
        );
        RecordBatch::try_from_iter([
            ("text", Arc::new(text().collect::<StringArray>()) as ArrayRef),
            ("views", views),
            (
                "bytes",
                Arc::new(
                    text().map(|text| text.map(String::into_bytes)).collect::<BinaryViewArray>(),
                ),
            ),
            ("list", list),
            ("pair", Arc::new(pair)),
            ("map", Arc::new(map)),
            ("list_view", Arc::new(list_view)),
            ("numbers", Arc::new(numbers)),
            ("dictionary", Arc::new(dictionary)),
            ("structs", Arc::new(structs)),
        ])
        .unwrap()
    }

    fn written(rows: &RecordBatch) -> Vec<u8> {
        let mut writer = StreamWriter::try_new(Vec::new(), rows.schema_ref()).unwrap();
        writer.write(rows).unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn a_slice_is_written_without_other_rows() {
        let table = table();
        for column in 0..table.num_columns() {
            let column = table.project(&[column]).unwrap();
            let all = written(&column).len();
            let name = column.schema().field(0).name().clone();
            for (start, rows) in [(0, 10), (500, 10), (990, 10), (7, 0)] {
                let slice = column.slice(start, rows);
                let compacted = compact(slice.clone(), true).unwrap();
                assert_eq!(compacted, slice, "{name}");
                let bytes = written(&compacted);
                assert!(bytes.len() < all / 10 + 800, "{name}: {} of {all}", bytes.len());
                let read = StreamReader::try_new(&bytes[..], None).unwrap().next();
                assert_eq!(read.unwrap().unwrap(), slice, "{name}");
            }
        }
    }

    #[test]
    fn nothing_is_copied_that_is_not_shared() {
        let table = table();
        let same = |a: &ArrayRef, b: &ArrayRef| a.to_data().ptr_eq(&b.to_data());
        let whole = compact(table.clone(), false).unwrap();
        for name in ["text", "views", "bytes", "dictionary", "structs"] {
            let (before, after) = (&table[name], &whole[name]);
            assert!(same(before, after), "{name}");
        }
        // Lists without items keep the dictionary.
        let ends = OffsetBuffer::from_lengths([0, 0, 1]);
        let item = Arc::new(Field::new("item", table["structs"].data_type().clone(), false));
        let views = Arc::new(Field::new("item", table["views"].data_type().clone(), false));
        let pair = StructArray::new(
            Fields::from(vec![item, views.as_ref().clone().with_name("views").into()]),
            vec![table["structs"].slice(0, 1), table["views"].slice(0, 1)],
            None,
        );
        let item = Arc::new(Field::new("item", pair.data_type().clone(), false));
        let list: ArrayRef = Arc::new(ListArray::new(item, ends, Arc::new(pair), None));
        let empty = compacted(&list.slice(0, 2), false).unwrap();
        let items = empty.as_list::<i32>().values().as_struct().column(0).as_struct().column(0);
        assert_eq!(items.as_any_dictionary().values().len(), ROWS);
        let slice = table.slice(3, 4);
        let part = compact(slice.clone(), false).unwrap();
        for name in ["text", "dictionary", "structs"] {
            assert!(same(&slice[name], &part[name]), "{name}");
        }
    }
}
