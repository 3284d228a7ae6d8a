//! Many positions: buffers of C in, buffers of C out. Every pointer, size and number is checked before anything is
//! written, so that a wrong one is a status.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ops::Range;
use std::ptr;
use std::slice;
use std::sync::LazyLock;

use setwise::{Buffer, Colour, Column, Pieces, Positions, Shape, ValueType};

use crate::error::{Failure, remember, setwise_status, status_of};
use crate::kernel::{chosen, setwise_kernel};
use crate::pieces::{colour, setwise_pieces};

/// How many rows are copied at a time where they cannot be read as they lie: 32 KiB of positions.
const ROWS_COPIED: usize = 512;

/// Many positions: rows, or columns. Set what is not used to zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_positions {
    /// How many.
    pub count: usize,
    /// `count` positions, or NULL if they lie in columns. Rows that are aligned to 64 bytes are read as they lie,
    /// others are copied, some hundreds at a time.
    pub rows: *const setwise_pieces,
    /// `count` sets in each column, in the order of setwise_pieces: pawns, knights, bishops, rooks, queens, kings,
    /// white, black. Not looked at if there are rows.
    pub columns: [*const u64; 8],
    /// `count` colours to move, or NULL. Only the columns `checkers` and `pinned` need them.
    pub turns: *const u8,
}

/// Where a column goes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_buffer {
    /// The column's number, from setwise_column().
    pub column: i32,
    /// A value for each position: uint64_t or uint16_t, as setwise_column_bytes() says.
    pub values: *mut c_void,
    /// The size of `values` in bytes: the number of positions times setwise_column_bytes().
    pub bytes: usize,
}

/// Names and meanings of the columns, ended by zeros.
static WORDS: LazyLock<Vec<(CString, CString)>> = LazyLock::new(|| {
    let text = |text: &str| CString::new(text).unwrap_or_default();
    Column::ALL.iter().map(|column| (text(column.name()), text(column.meaning()))).collect()
});

/// The column of a number.
fn column_at(number: i32) -> Option<Column> {
    Column::ALL.get(usize::try_from(number).ok()?).copied()
}

/// The number of bytes of a column's value, if its type is one that C knows here.
fn bytes_of(column: Column) -> Option<usize> {
    match (column.shape(), column.value_type()) {
        (Shape::Value, ValueType::U64) => Some(8),
        (Shape::Value, ValueType::U16) => Some(2),
        _ => None,
    }
}

/// The number of a column by its name, as in "white_all" (`docs/columns.md` lists them); -1 if there is none, and
/// setwise_error() names the nearest. Numbers count from 0. They hold for one version of the library: look them up
/// when the program starts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_column(name: *const c_char) -> i32 {
    if name.is_null() {
        remember("the name of the column is null");
        return -1;
    }
    // SAFETY: the caller hands over a text that is ended by a zero.
    let name = unsafe { CStr::from_ptr(name) };
    match name.to_string_lossy().parse::<Column>() {
        Ok(column) => {
            let number = Column::ALL.iter().position(|&other| other == column);
            number.and_then(|number| i32::try_from(number).ok()).unwrap_or(-1)
        }
        Err(unknown) => {
            remember(&unknown.to_string());
            -1
        }
    }
}

/// The name of a column by its number; NULL if there is none, so that one can count up to it.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_name(column: i32) -> *const c_char {
    let words = usize::try_from(column).ok().and_then(|number| WORDS.get(number));
    words.map_or(ptr::null(), |(name, _)| name.as_ptr())
}

/// What a column says, in English; NULL if there is none of this number.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_meaning(column: i32) -> *const c_char {
    let words = usize::try_from(column).ok().and_then(|number| WORDS.get(number));
    words.map_or(ptr::null(), |(_, meaning)| meaning.as_ptr())
}

/// The size of a column's value: 8 for uint64_t (a set of squares), 2 for uint16_t (a number); 0 if there is no such
/// column.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_bytes(column: i32) -> usize {
    column_at(column).and_then(bytes_of).unwrap_or(0)
}

/// The squares that the sliders of each row attack: setwise_slider_attacks() for `count` rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_slider_attacks_bulk(
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

/// The rays of the sliders of each row, into eight buffers of `count` sets, one for each direction as in setwise_rays:
/// north, south, east, west, north-east, north-west, south-east, south-west.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_slider_rays_bulk(
    kernel: *const setwise_kernel,
    count: usize,
    orthogonal: *const u64,
    diagonal: *const u64,
    occupied: *const u64,
    rays: *const *mut u64,
) -> setwise_status {
    status_of(|| {
        // SAFETY: the caller hands over a pointer that is null or good.
        let Some(&rays) = (unsafe { rays.cast::<[*mut u64; 8]>().as_ref() }) else {
            return Err(Failure::new(setwise_status::SETWISE_NULL, "`rays` is null"));
        };
        let mut checked = Checked::default();
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

/// Fills any columns for many positions, `buffer_count` of them. Work that no column needs is skipped, so ask for all
/// of them in one call. Nothing is written unless everything about the call is right.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_fill(
    kernel: *const setwise_kernel,
    positions: *const setwise_positions,
    buffers: *const setwise_buffer,
    buffer_count: usize,
) -> setwise_status {
    status_of(|| {
        // SAFETY: the caller hands over a pointer that is null or good.
        let Some(positions) = (unsafe { positions.as_ref() }) else {
            return Err(Failure::new(setwise_status::SETWISE_NULL, "`positions` is null"));
        };
        // More than there are columns would have one twice.
        if buffer_count > Column::ALL.len() {
            let text = format!("{buffer_count} buffers for {} columns", Column::ALL.len());
            return Err(Failure::new(setwise_status::SETWISE_COLUMN, text));
        }
        let mut checked = Checked::default();
        checked.input("buffers", buffers, buffer_count)?;
        // SAFETY: it was checked.
        let buffers = unsafe { input_slice(buffers, buffer_count) };
        check_positions(positions, &mut checked)?;
        let columns = check_buffers(positions, buffers, &mut checked)?;
        // SAFETY: the kernel is null or one of ours.
        let kernel = unsafe { chosen(kernel) };
        // SAFETY: everything was checked, and no buffer reaches into anything else.
        let fill = |at: Range<usize>, part: Positions<'_>| unsafe {
            let mut requests: Vec<_> =
                columns.iter().map(|&column| column.request(at.clone())).collect();
            kernel.fill(part, &mut requests);
        };
        // SAFETY: everything was checked.
        unsafe { in_parts(positions, false, fill) };
        Ok(())
    })
}

/// A column and its checked buffer.
#[derive(Clone, Copy)]
struct Request {
    column: Column,
    values: *mut c_void,
}

impl Request {
    /// Some rows of it, as the kernel takes them.
    ///
    /// # Safety
    /// The buffer was checked, has these rows, and nobody else looks at it.
    unsafe fn request<'a>(self, rows: Range<usize>) -> setwise::Request<'a> {
        let length = rows.len();
        // SAFETY: the buffer is as long as its column's type and the rows say.
        let buffer: Buffer<'a> = unsafe {
            match self.column.value_type() {
                ValueType::U16 => {
                    output_slice(rows_from(self.values.cast::<u16>(), rows.start), length).into()
                }
                _ => output_slice(rows_from(self.values.cast::<u64>(), rows.start), length).into(),
            }
        };
        self.column.to(buffer)
    }
}

/// The pointer to a row; null stays null, for no rows.
///
/// # Safety
/// There are so many rows.
unsafe fn rows_from<T>(values: *mut T, row: usize) -> *mut T {
    if row == 0 {
        return values;
    }
    // SAFETY: the caller says that there are so many.
    unsafe { values.add(row) }
}

pub(crate) fn check_positions(
    positions: &setwise_positions,
    checked: &mut Checked,
) -> Result<(), Failure> {
    const NAMES: [&str; 8] =
        ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];
    if positions.rows.is_null() {
        for (name, column) in NAMES.into_iter().zip(positions.columns) {
            checked.input(name, column, positions.count)?;
        }
    } else {
        checked.input("rows", positions.rows, positions.count)?;
    }
    if positions.turns.is_null() {
        return Ok(());
    }
    checked.input("turns", positions.turns, positions.count)
}

fn check_buffers(
    positions: &setwise_positions,
    buffers: &[setwise_buffer],
    checked: &mut Checked,
) -> Result<Vec<Request>, Failure> {
    let mut requests: Vec<Request> = Vec::with_capacity(buffers.len());
    for buffer in buffers {
        let known = column_at(buffer.column).and_then(|column| Some((column, bytes_of(column)?)));
        let Some((column, bytes)) = known else {
            let text = format!("no column has the number {}", buffer.column);
            return Err(Failure::new(setwise_status::SETWISE_COLUMN, text));
        };
        if requests.iter().any(|request| request.column == column) {
            let text = format!("column `{column}` is asked for twice");
            return Err(Failure::new(setwise_status::SETWISE_COLUMN, text));
        }
        if column.colour().is_none() && positions.turns.is_null() {
            let text = format!("column `{column}` is about the side to move, but `turns` is null");
            return Err(Failure::new(setwise_status::SETWISE_TURNS, text));
        }
        if Some(buffer.bytes) != positions.count.checked_mul(bytes) {
            let text = format!(
                "the buffer of column `{column}` has {} bytes, but {} positions need {bytes} each",
                buffer.bytes, positions.count
            );
            return Err(Failure::new(setwise_status::SETWISE_SIZE, text));
        }
        match bytes {
            2 => checked.output(column.name(), buffer.values.cast::<u16>(), positions.count)?,
            _ => checked.output(column.name(), buffer.values.cast::<u64>(), positions.count)?,
        }
        requests.push(Request { column, values: buffer.values });
    }
    Ok(requests)
}

/// Hands the positions over as they lie; or in parts, always or where they must be copied: rows that are not aligned
/// as `Pieces` are, and turns.
///
/// # Safety
/// They were checked.
pub(crate) unsafe fn in_parts(
    positions: &setwise_positions,
    always: bool,
    mut fill: impl FnMut(Range<usize>, Positions<'_>),
) {
    let count = positions.count;
    let rows = positions.rows.cast::<Pieces>();
    let (copies_rows, copies_turns) = (!rows.is_aligned(), !positions.turns.is_null());
    let part = if always || copies_rows || copies_turns { ROWS_COPIED } else { count.max(1) };
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < count {
        let range = at..count.min(at + part);
        let length = range.len();
        // SAFETY: rows, columns and turns were checked to have `count` values each, `range` lies within, rows are
        // aligned where they are read as `Pieces`, which have the same fields (`position.rs` checks them).
        let (source, turns): (Positions<'_>, &[u8]) = unsafe {
            let turns =
                if copies_turns { input_slice(positions.turns.add(at), length) } else { &[] };
            let source = if positions.rows.is_null() {
                let column = |i: usize| input_slice(positions.columns[i].add(at), length);
                Pieces {
                    pawns: column(0),
                    knights: column(1),
                    bishops: column(2),
                    rooks: column(3),
                    queens: column(4),
                    kings: column(5),
                    white: column(6),
                    black: column(7),
                }
                .into()
            } else if copies_rows {
                pieces.clear();
                let rows = input_slice(positions.rows.add(at), length);
                pieces.extend(rows.iter().map(|&row| Pieces::from(row)));
                Positions::from(&pieces)
            } else {
                input_slice(rows.add(at), length).into()
            };
            (source, turns)
        };
        if copies_turns {
            let mut room = [Colour::White; ROWS_COPIED];
            for (to, &turn) in room.iter_mut().zip(turns) {
                *to = colour(turn);
            }
            fill(range.clone(), source.with_turns(&room[..length]));
        } else {
            fill(range.clone(), source);
        }
        at = range.end;
    }
}

/// The buffers of a call so far: where each lies, and whether it is written.
#[derive(Default)]
pub(crate) struct Checked {
    inputs: Vec<(Range<usize>, &'static str)>,
    outputs: Vec<(Range<usize>, &'static str)>,
}

impl Checked {
    /// Where an array lies, if it can be one.
    fn place<T>(
        name: &'static str,
        values: *const T,
        count: usize,
    ) -> Result<Option<(Range<usize>, &'static str)>, Failure> {
        if count == 0 {
            return Ok(None);
        }
        if values.is_null() {
            let text = format!("`{name}` is null, but {count} values are expected");
            return Err(Failure::new(setwise_status::SETWISE_NULL, text));
        }
        if !values.is_aligned() {
            let text = format!("`{name}` is not aligned to {} bytes", align_of::<T>());
            return Err(Failure::new(setwise_status::SETWISE_UNALIGNED, text));
        }
        let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
        match bytes.and_then(|bytes| values.addr().checked_add(bytes)) {
            Some(end) => Ok(Some((values.addr()..end, name))),
            None => Err(Failure::new(
                setwise_status::SETWISE_SIZE,
                format!("`{name}`: memory has no room for {count} values"),
            )),
        }
    }

    /// Checks what is read.
    pub(crate) fn input<T>(
        &mut self,
        name: &'static str,
        values: *const T,
        count: usize,
    ) -> Result<(), Failure> {
        self.inputs.extend(Self::place(name, values, count)?);
        Ok(())
    }

    /// Checks what is written, once everything that is read was checked.
    pub(crate) fn output<T>(
        &mut self,
        name: &'static str,
        values: *mut T,
        count: usize,
    ) -> Result<(), Failure> {
        let Some((place, _)) = Self::place(name, values, count)? else {
            return Ok(());
        };
        for (other, other_name) in self.inputs.iter().chain(&self.outputs) {
            if place.start < other.end && other.start < place.end {
                let text = format!("`{name}` and `{other_name}` overlap");
                return Err(Failure::new(setwise_status::SETWISE_OVERLAP, text));
            }
        }
        self.outputs.push((place, name));
        Ok(())
    }
}

/// An array of the caller's; an empty one may be null.
///
/// # Safety
/// It was checked, and is not written while the slice lives.
pub(crate) unsafe fn input_slice<'a, T>(values: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts(values, count) }
}

/// An array that is written.
///
/// # Safety
/// It was checked, and nobody else looks at it while the slice lives.
pub(crate) unsafe fn output_slice<'a, T>(values: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts_mut(values, count) }
}
