//! `include/setwise.h` is generated from the source. This test compares them, and rewrites the header if
//! `SETWISE_WRITE` is set.

use std::path::Path;

/// The sections of functions, by use in an engine, and the first function of each.
const SECTIONS: [(&str, &str); 10] = [
    ("The library: version, errors, choice of instructions", "setwise_version_number"),
    ("Positions: from bitboards, a mailbox, FEN", "setwise_pieces_from_bitboards"),
    ("An evaluation: attacks by sets of sliders and by whole sides", "setwise_sliders_attacks"),
    ("A node: checks, pins and danger of a side's king", "setwise_pieces_checkers"),
    ("One slider, lines and leapers", "setwise_rook_attacks"),
    ("A network: threats and feature sets", "setwise_pieces_threats"),
    ("A network: changes by a move", "setwise_mailbox_threat_changes"),
    ("Legal moves and exchanges", "setwise_pieces_legal_targets"),
    ("Many positions: sliders", "setwise_sliders_fill_attacks"),
    ("Many positions: columns", "setwise_column_count"),
];

/// Writes out the functions of the tables `questions!`, which cbindgen does not read.
fn with_questions(source: &str) -> String {
    let mut parts = source.split("\nquestions! {\n");
    let mut expanded = parts.next().expect("a first part").to_owned();
    for part in parts {
        let (table, rest) = part.split_once("\n}\n").expect("the end of a table");
        for line in table.lines() {
            let Some(signature) = line.strip_prefix("    fn ") else {
                expanded.extend(["\n", line]);
                continue;
            };
            let signature = signature
                .replacen("(kernel", "(kernel: *const setwise_kernel", 1)
                .replacen(", pieces", ", pieces: *const setwise_pieces", 1)
                .replacen(';', ",", 1);
            let signature = signature.split(" as ").next().expect("a first part");
            let signature = signature.trim_end_matches(" {");
            expanded.push_str("\n#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn ");
            expanded.extend([signature, " {"]);
        }
        expanded.extend(["\n", rest]);
    }
    expanded
}

/// Puts the arguments of each function side by side, in lines of at most 120 characters.
fn with_short_declarations(header: &str) -> String {
    let mut parts = header.split("\nSETWISE_API\n");
    let mut short = parts.next().expect("a first part").to_owned();
    for part in parts {
        let (declaration, rest) = part.split_once(";\n").expect("the end of a declaration");
        let mut length = "SETWISE_API".len();
        short.push_str("\nSETWISE_API");
        for word in declaration.split_inclusive(',') {
            let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
            if length + 1 + word.len() > 119 {
                short.push_str("\n   ");
                length = 3;
            }
            short.extend([" ", &word]);
            length += 1 + word.len();
        }
        short.extend([";\n", rest]);
    }
    short
}

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
    // The order of these files is that of the header.
    let files = [
        "version",
        "error",
        "kernel",
        "pieces",
        "position",
        "threats",
        "feature_sets",
        "changes",
        "inputs",
        "legal",
        "sliders",
        "columns",
        "positions",
        "fill",
        "successors",
    ];
    let builder =
        files.into_iter().fold(cbindgen::Builder::new().with_config(config), |builder, file| {
            let path = folder.join("src").join(file).with_extension("rs");
            let source = std::fs::read_to_string(&path).expect("a source");
            let expanded = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file).with_extension("rs");
            std::fs::write(&expanded, with_questions(&source)).expect("the source can be written");
            builder.with_src(expanded)
        });
    let mut header = Vec::new();
    builder.generate().expect("a header").write(&mut header);
    let mut header = with_short_declarations(&String::from_utf8(header).expect("text"));
    for (section, first) in SECTIONS {
        // Finds the declaration: comments mention functions as `function()`. The section starts before the function's
        // comment.
        let call = format!("{first}(");
        let mut named = header.match_indices(&call);
        let declared = |&(at, name): &(usize, &str)| !header[at + name.len()..].starts_with(')');
        let (function, _) = named.find(declared).expect(first);
        let function = header[..function].rfind("SETWISE_API").expect("every function has it");
        let blank = header[..function].rfind("\n\n").expect("a blank line before each function");
        header.insert_str(blank, &format!("\n\n/* ---- {section} ---- */"));
    }
    let header = header.into_bytes();
    let path = folder.join("include/setwise.h");
    if std::env::var_os("SETWISE_WRITE").is_some() {
        std::fs::write(&path, &header).expect("the header can be written");
    }
    assert!(
        std::fs::read(&path).is_ok_and(|read| read == header),
        "include/setwise.h is stale: write it anew with `make -C bindings/c header`"
    );
}
