#!/bin/sh
# Finds calls in the assembly of examples, where there must be none. Run from the package's folder on
# x86-64: tests/calls.sh
set -eu
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}

# The assembly of an example in one file, compiled with the given options of cargo.
assembly() {
    example=$1 folder=$target/release/examples
    shift
    compile "$@"
}
# The same with flags. These are only for the example: with a target named, build scripts go without, which must run on
# this processor.
assembly_for() {
    example=$1 folder=$target/calls/$host/release/examples RUSTFLAGS=$2
    shift 2
    export RUSTFLAGS
    compile --target "$host" --target-dir "$target/calls" "$@"
}
compile() {
    # What is there already would not be written again.
    rm -f "$folder/$example" "$folder/$example"-*
    cargo rustc --quiet --release --example "$example" "$@" -- --emit asm -C codegen-units=1
}

# A term must become part of the functions that enable a backend's instructions; whatever is called from
# there is compiled without them and slow.
assembly terms
awk '
    # A function that enables instructions starts, or any other.
    /^_.*8dispatch3run.*(avx2|avx2_gfni|avx512|avx512_gfni).*:$/ { inside = 1; functions++; name = $0 }
    /^\.Lfunc_end/ { inside = 0 }
    # What it calls, or loads the address of to call it. Panics are cold, and filling memory is no call
    # for a few operations; SWAP_ names tables.
    inside && (/@GOTPCREL|@PLT|callq?[ \t]+_|lea.*_ZN.*\(%rip\)|lea.*_R.*\(%rip\)/) {
        if (/panic|slice_index_fail|copy_from_slice|mem(set|cpy|move)|SWAP_/) next
        print name, $0
        calls++
    }
    END {
        print "terms: " functions + 0 " functions of 12, " calls + 0 " calls"
        exit functions < 12 || calls > 0
    }
' "$folder"/terms-*.s

# And where a helper is not inlined, the same search must see that it is called.
assembly inlining
awk '
    /^_.*8dispatch3run.*(avx2|avx512).*:$/ { inside = 1 }
    /^\.Lfunc_end/ { inside = 0 }
    inside && /call.*6called/ { calls++ }
    END { print "inlining: " calls + 0 " calls of the helper outside of the macro"; exit calls == 0 }
' "$folder"/inlining-*.s

# What is asked about one position must become part of the caller where the build enables the instructions:
# the only functions that perft calls are its own, what stands on a square, and the rare test of a capture en passant,
# which is cold on purpose.
for level in x86-64-v3 x86-64-v4; do
    assembly_for perft "-C target-cpu=$level" --no-default-features
    awk -v level=$level -v register="$([ $level = x86-64-v4 ] && echo zmm || echo ymm)" '
        /^_.*5perft5perft.*:$/ { inside = 1; functions++ }
        /^\.Lfunc_end/ { inside = 0 }
        inside && index($0, "%" register) { vectors++ }
        inside && (/@GOTPCREL|@PLT|callq?[ \t]+_/) && /7setwise/ && !/panic|_ATTACKS|MASKS|is_safe_en_passant|6Pieces2at/ {
            print
            calls++
        }
        END {
            print "perft, " level ": " vectors + 0 " instructions on " register ", " calls + 0 " calls"
            exit functions < 1 || vectors < 10 || calls > 0
        }
    ' "$folder"/perft-*.s
done
