//! The README's example for engines compiles in a crate of its own, with the line of Cargo.toml above it.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[test]
fn the_example_for_engines_compiles_with_its_dependency() {
    let readme = include_str!("../../README.md");
    let section = readme.split("\n## ").find(|section| section.starts_with("In an engine"));
    let section = section.expect("a section about engines");
    let block = |language: &str| {
        let (_, block) = section.split_once(&format!("```{language}\n")).expect("a block");
        block.split_once("```").expect("the end of the block").0
    };
    let here = env!("CARGO_MANIFEST_DIR");
    let dependency = block("toml").replace("\"../setwise\"", &format!("{here:?}"));
    assert!(dependency.contains(here), "no path to replace: {dependency}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest =
        "[package]\nname = \"engine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    let manifest = format!("{manifest}\n[dependencies]\n{dependency}");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::copy(Path::new(here).join("Cargo.lock"), folder.join("Cargo.lock")).expect("a file");
    fs::write(folder.join("src/main.rs"), format!("fn main() {{\n{}}}\n", block("rust")))
        .expect("a file");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(cargo)
        .args(["run", "--quiet", "--offline"])
        .current_dir(&folder)
        .env_remove("RUSTFLAGS")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .expect("cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}
