//! The headers in `include/` are generated: `setwise.h` from a template, the others from the source. This test compares
//! them, and rewrites them if `SETWISE_WRITE` is set.

use std::fmt::Write as _;
use std::path::Path;

/// A header in `include/setwise/`.
struct Part {
    name: &'static str,
    /// The comment at its top.
    subject: &'static str,
    /// Its includes, and what all headers need.
    prologue: &'static str,
    /// The files in `src/` that declare its contents.
    files: &'static [&'static str],
}

/// The headers, in the order of their includes. The order of the files is that of the declarations.
const PARTS: [Part; 3] = [
    Part {
        name: "position",
        subject: "one position, and the types that all headers use",
        prologue: "#include <stddef.h>
#include <stdint.h>

/* Precedes every function. Define it to change the linkage, for example as __declspec(dllimport) for the shared library
 * on Windows. */
#ifndef SETWISE_API
#define SETWISE_API
#endif",
        files: &["version", "error", "kernel", "pieces", "position", "legal"],
    },
    Part {
        name: "networks",
        subject: "threats, and the inputs of networks",
        prologue: "#include \"position.h\"",
        files: &["threats", "feature_sets", "changes", "inputs"],
    },
    Part {
        name: "columns",
        subject: "many positions",
        prologue: "#include \"networks.h\"",
        files: &["sliders", "columns", "positions", "fill", "successors"],
    },
];

/// The sections of functions, by use in an engine, and the first function of each.
const SECTIONS: [(&str, &str); 10] = [
    ("The library: version, errors, choice of instructions", "setwise_version_number"),
    ("Positions: from bitboards, a mailbox, FEN", "setwise_pieces_from_bitboards"),
    ("An evaluation: attacks by sets of sliders and by whole sides", "setwise_sliders_attacks"),
    ("A node: checks, pins and danger of a side's king", "setwise_pieces_checkers"),
    ("One slider, lines and leapers", "setwise_rook_attacks"),
    ("Legal moves and exchanges", "setwise_pieces_legal_targets"),
    ("A network: threats and feature sets", "setwise_pieces_threats"),
    ("A network: changes by a move", "setwise_mailbox_threat_changes"),
    ("Many positions: sliders", "setwise_sliders_fill_attacks"),
    ("Many positions: columns", "setwise_column_count"),
];

/// Writes out the functions of the tables `questions!`, which cbindgen does not read.
fn with_questions(source: &str) -> String {
    let mut parts = source.split("\nquestions! {\n");
    let mut expanded = parts.next().expect("a first part").to_owned();
    for part in parts {
        let (table, rest) = part.split_once("\n}\n").expect("the end of a table");
        let mut lines = table.lines();
        while let Some(line) = lines.next() {
            let Some(signature) = line.strip_prefix("    fn ") else {
                expanded.extend(["\n", line]);
                continue;
            };
            let mut signature = signature.to_owned();
            while !signature.ends_with('{') {
                signature.push_str(lines.next().expect("the rest of a signature").trim());
            }
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

/// Puts the arguments of a function side by side, in lines of at most 120 characters. Other items are not changed.
fn with_short_declaration(item: &str) -> String {
    let Some(function) = item.find("SETWISE_API\n") else { return item.to_owned() };
    let (comment, declaration) = item.split_at(function);
    let mut length = 0;
    let mut short = comment.to_owned();
    for word in declaration.split_inclusive(',') {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
        if length > 0 && length + 1 + word.len() > 119 {
            short.push_str("\n   ");
            length = 3;
        }
        let space = if length > 0 { " " } else { "" };
        short.extend([space, &word]);
        length += space.len() + word.len();
    }
    short
}

/// The name that an item declares.
fn name_of(item: &str) -> &str {
    let declaration = item.lines().find(|line| !line.starts_with("//")).expect("a declaration");
    match declaration.split_whitespace().collect::<Vec<_>>()[..] {
        ["#define", name, ..] | ["typedef", _, name, ..] => name.trim_end_matches(';'),
        _ => {
            let before = item.split('(').rfind(|part| part.contains("SETWISE_API"));
            before.and_then(|before| before.rsplit([' ', '*']).next()).expect("a function")
        }
    }
}

/// Returns whether a source declares an item.
fn declares(source: &str, name: &str) -> bool {
    ["pub const", "pub enum", "pub struct", "pub type", "fn"].iter().any(|kind| {
        let declaration = format!("{kind} {name}");
        source.match_indices(&declaration).any(|(at, _)| {
            let next = source[at + declaration.len()..].chars().next();
            next.is_none_or(|next| next != '_' && !next.is_alphanumeric())
        })
    })
}

/// The declarations of all parts, each with its comment, in the order of the source.
fn items(folder: &Path) -> Vec<String> {
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for file in PARTS.iter().flat_map(|part| part.files) {
        let expanded = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file).with_extension("rs");
        std::fs::write(&expanded, with_questions(&source(folder, file)))
            .expect("the source can be written");
        builder = builder.with_src(expanded);
    }
    let mut header = Vec::new();
    builder.generate().expect("a header").write(&mut header);
    // cbindgen leaves out the suffix, without which a constant above 31 bits is a signed one of 64.
    let header = String::from_utf8(header).expect("text").replace(" 2147483648", " 2147483648u");
    header.trim().split("\n\n").map(with_short_declaration).collect()
}

fn source(folder: &Path, file: &str) -> String {
    let path = folder.join("src").join(file).with_extension("rs");
    std::fs::read_to_string(path).expect("a source")
}

/// Writes a header with the items that its files declare.
fn header(folder: &Path, part: &Part, items: &[String]) -> String {
    let Part { name, subject, prologue, files } = part;
    let sources: Vec<String> = files.iter().map(|file| source(folder, file)).collect();
    let guard = format!("SETWISE_{}_H", name.to_uppercase());
    let mut header = format!(
        "/* setwise: {subject}. Include setwise.h, which states the rules for pointers. */\n\n\
         #ifndef {guard}\n#define {guard}\n\n{prologue}\n"
    );
    let mut has_functions = false;
    for item in items {
        let name = name_of(item);
        if !sources.iter().any(|source| declares(source, name)) {
            continue;
        }
        if item.contains("SETWISE_API ") && !has_functions {
            header.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
            has_functions = true;
        }
        if let Some((section, _)) = SECTIONS.iter().find(|(_, first)| *first == name) {
            write!(header, "\n/* ---- {section} ---- */\n").expect("a string");
        }
        header.extend(["\n", item, "\n"]);
    }
    header.push_str("\n#ifdef __cplusplus\n} // extern \"C\"\n#endif\n");
    write!(header, "\n#endif /* {guard} */\n").expect("a string");
    header
}

#[test]
fn the_headers_are_what_the_source_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let template = std::fs::read_to_string(folder.join("setwise.h.in")).expect("setwise.h.in");
    let main = template
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"));
    let items = items(folder);
    let mut headers = vec![("setwise.h".to_owned(), main)];
    for part in &PARTS {
        headers.push((format!("setwise/{}.h", part.name), header(folder, part, &items)));
    }
    for item in &items {
        let found = headers.iter().filter(|(_, header)| header.contains(item.as_str())).count();
        assert_eq!(found, 1, "headers with\n{item}");
    }
    for (name, header) in headers {
        let path = folder.join("include").join(&name);
        if std::env::var_os("SETWISE_WRITE").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("include/setwise");
            std::fs::write(&path, &header).expect("the header can be written");
        }
        assert!(
            std::fs::read_to_string(&path).is_ok_and(|read| read == header),
            "include/{name} is stale: write it anew with `make -C bindings/c header`"
        );
    }
}
