#!/bin/sh
# Finds calls in the assembly of examples/terms.rs. A term must become part of the functions that enable a
# backend's instructions; whatever is called from there is compiled without them and slow.
# Run from the package's folder on x86-64: tests/calls.sh
set -eu

target="${CARGO_TARGET_DIR:-target}/calls"
rm -rf "$target/release/examples"
cargo rustc --quiet --release --target-dir "$target" --example terms -- --emit asm -C codegen-units=1
awk '
    # A function that enables instructions starts, or any other.
    /^_.*7backend.*(avx2|avx2_gfni|avx512|avx512_gfni)3run.*:$/ { inside = 1; functions++; name = $0 }
    /^\.Lfunc_end/ { inside = 0 }
    # What it calls, or loads the address of to call it. Panics are cold, and filling memory is no call
    # for a few operations; SWAP_ names tables.
    inside && (/@GOTPCREL|@PLT|callq?[ \t]+_|lea.*_ZN.*\(%rip\)|lea.*_R.*\(%rip\)/) {
        if (/panic|slice_index_fail|copy_from_slice|mem(set|cpy|move)|SWAP_/) next
        print name, $0
        calls++
    }
    END {
        print functions + 0 " functions of 12, " calls + 0 " calls"
        exit functions < 12 || calls > 0
    }
' "$target"/release/examples/terms-*.s
