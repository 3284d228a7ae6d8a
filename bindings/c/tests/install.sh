#!/bin/sh
# Installs into a separate folder and builds the examples against it as a user would: with pkg-config, static and
# shared, and with CMake. Called by `make check`: tests/install.sh MAKE VERSION
set -eu
cd "$(dirname "$0")/.."
root=$PWD/build/installed
rm -rf "$root"
"$1" --no-print-directory install PREFIX="$root" > build/install.log
rm -r "$root"
# With sudo, cargo is often not in PATH.
make=$1
"$make" --no-print-directory install PREFIX="$root" CARGO=missing > build/install.log
refused() { ! "$make" --no-print-directory install "$@" > build/install.log 2>&1; }
refused B="$root/none" CARGO=missing
grep -q "missing is not in PATH, and $root/none/libsetwise.a does not exist: build it" build/install.log
for name in PREFIX LIBDIR INCLUDEDIR DESTDIR; do
    for folder in installed "$root/my chess"; do
        refused PREFIX="$root" "$name=$folder"
        grep -qF "$name must be an absolute path without spaces, not \"$folder\"" build/install.log
    done
    for character in '#' '\' '&' '|' ';' '"' "'" '(' ')' '<' '>' '*' '?' '[' '`'; do
        refused PREFIX="$root" "$name=$root/a${character}b"
        grep -qF "$name must not contain $character, but it is \"$root/a${character}b\"" build/install.log
    done
done
grep -q "^prefix=$root\$" "$root/lib/pkgconfig/setwise.pc"
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH=$root/lib/pkgconfig
    [ "$(pkg-config --modversion setwise)" = "$2" ]
    # shellcheck disable=SC2046
    cc examples/maps.c $(pkg-config --cflags --libs setwise) -o "$root/maps"
    LD_LIBRARY_PATH=$root/lib "$root/maps" > /dev/null
    cc examples/maps.c $(pkg-config --cflags setwise) "$root/lib/libsetwise.a" \
        $(pkg-config --libs-only-l --static setwise | sed 's/-lsetwise//') -o "$root/maps-static"
    "$root/maps-static" > /dev/null
    echo "installed: by pkg-config, static and shared"
else
    echo "SKIPPED: pkg-config is not installed" >&2
fi
if command -v cmake > /dev/null; then
    cmake -S examples -B "$root/cmake" -DCMAKE_PREFIX_PATH="$root" > build/cmake.log
    cmake --build "$root/cmake" >> build/cmake.log
    "$root/cmake/maps" > /dev/null
    "$root/cmake/maps-static" > /dev/null
    # Headers elsewhere, beside those of another installation, and a build folder that knew another one.
    sed 's/^#define SETWISE_VERSION .*/#error "of another installation"/' "$root/include/setwise.h" > build/other.h
    mv build/other.h "$root/include/setwise.h"
    "$make" --no-print-directory install PREFIX="$root/b" LIBDIR="$root/b/lib/x" INCLUDEDIR="$root/b/include/y" CARGO=missing \
        > build/install.log
    mv "$root/b" "$root/moved"
    rm "$root/cmake/maps"
    cmake -S examples -B "$root/cmake" -Dsetwise_DIR="$root/moved/lib/x/cmake/setwise" >> build/cmake.log
    cmake --build "$root/cmake" >> build/cmake.log
    "$root/cmake/maps" > /dev/null
    "$root/cmake/perft" '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' 3 | grep -qx 2812
    # `lib` is a link to a folder elsewhere, beside the headers of another installation; headers found through the link.
    mkdir -p "$root/far/deep/lib" "$root/far/deep/include" "$root/near"
    echo '#error "of another installation"' > "$root/far/deep/include/setwise.h"
    ln -s ../far/deep/lib "$root/near/lib"
    "$make" --no-print-directory install PREFIX="$root/near" CARGO=missing > build/install.log
    mkdir "$root/usr"
    "$make" --no-print-directory install PREFIX="$root/usr" CARGO=missing > build/install.log
    mkdir "$root/merged"
    ln -s ../usr/lib "$root/merged/lib"
    for prefix in near merged; do
        rm "$root/cmake/maps"
        cmake -S examples -B "$root/cmake" -Dsetwise_DIR="$root/$prefix/lib/cmake/setwise" >> build/cmake.log
        cmake --build "$root/cmake" >> build/cmake.log
        "$root/cmake/maps" > /dev/null
    done
    echo "installed: by CMake, static and shared"
else
    echo "SKIPPED: CMake is not installed" >&2
fi
