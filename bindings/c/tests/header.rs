//! `include/setwise.h` is written from the source: this test compares them, and writes the header anew where
//! `SETWISE_WRITE` is set.

use std::path::Path;

#[test]
fn the_header_is_what_the_source_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config =
        cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    let macros = config.after_includes.as_mut().expect("the macros of the version");
    for (name, part) in [
        ("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR")),
        ("@MINOR@", env!("CARGO_PKG_VERSION_MINOR")),
        ("@PATCH@", env!("CARGO_PKG_VERSION_PATCH")),
    ] {
        *macros = macros.replace(name, part);
    }
    // In the order in which the header has them.
    let files = [
        "version",
        "error",
        "kernel",
        "pieces",
        "position",
        "threats",
        "feature_sets",
        "changes",
        "legal",
        "sliders",
        "columns",
        "positions",
        "fill",
        "successors",
    ];
    let builder =
        files.into_iter().fold(cbindgen::Builder::new().with_config(config), |builder, file| {
            builder.with_src(folder.join("src").join(file).with_extension("rs"))
        });
    let mut header = Vec::new();
    builder.generate().expect("a header").write(&mut header);
    let path = folder.join("include/setwise.h");
    if std::env::var_os("SETWISE_WRITE").is_some() {
        std::fs::write(&path, &header).expect("the header can be written");
    }
    assert!(
        std::fs::read(&path).is_ok_and(|read| read == header),
        "include/setwise.h is stale: write it anew with `make -C bindings/c header`"
    );
}
