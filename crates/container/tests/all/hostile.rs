//! Damaged and crafted files: an error that names the part, never a panic, never wrong data.
//!
//! Crafted files come from an encoder written here from `docs/model-format.md` alone, so that it
//! can lie in any field with valid checksums, and so that the document is tested too.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::fs;

use kinwood_container::{Error, Place, Sections, Stored};
use sha2::{Digest, Sha256};

/// One section as the table will describe it.
#[derive(Clone)]
struct Crafted {
    name: Vec<u8>,
    name_padding: u8,
    kind: u32,
    count: u64,
    /// None: where it belongs.
    offset: Option<u64>,
    /// None: the real length.
    length: Option<u64>,
    content: Vec<u8>,
    padding: u8,
}

fn section(name: &str, kind: u32, count: u64, content: &[u8]) -> Crafted {
    Crafted {
        name: name.into(),
        name_padding: 0,
        kind,
        count,
        offset: None,
        length: None,
        content: content.into(),
        padding: 0,
    }
}

/// A file whose checksums are always right, whatever the fields say.
struct CraftedFile {
    version: u32,
    manifest: Vec<u8>,
    manifest_length: Option<u64>,
    manifest_padding: u8,
    section_count: Option<u32>,
    table_length: Option<u64>,
    extra_table: Vec<u8>,
    file_length: Option<u64>,
    sections: Vec<Crafted>,
    trailing: Vec<u8>,
}

fn file(sections: &[Crafted]) -> CraftedFile {
    CraftedFile {
        version: 1,
        manifest: b"{}\n".to_vec(),
        manifest_length: None,
        manifest_padding: 0,
        section_count: None,
        table_length: None,
        extra_table: Vec::new(),
        file_length: None,
        sections: sections.to_vec(),
        trailing: Vec::new(),
    }
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    while !bytes.len().is_multiple_of(8) {
        bytes.push(with);
    }
}

impl CraftedFile {
    fn bytes(&self) -> Vec<u8> {
        let mut manifest = self.manifest.clone();
        pad(&mut manifest, self.manifest_padding);
        let table_length = |section: &Crafted| 64 + section.name.len().next_multiple_of(8);
        let tables: usize = self.sections.iter().map(table_length).sum();
        let start = 144 + manifest.len() + tables + self.extra_table.len();
        let mut table = Vec::new();
        let mut data = Vec::new();
        for section in &self.sections {
            let offset = (start + data.len()) as u64;
            let length = section.content.len() as u64;
            table.extend((section.name.len() as u32).to_le_bytes());
            table.extend(section.kind.to_le_bytes());
            table.extend(section.count.to_le_bytes());
            table.extend(section.offset.unwrap_or(offset).to_le_bytes());
            table.extend(section.length.unwrap_or(length).to_le_bytes());
            table.extend(Sha256::digest(&section.content));
            table.extend(&section.name);
            pad(&mut table, section.name_padding);
            data.extend(&section.content);
            pad(&mut data, section.padding);
        }
        table.extend(&self.extra_table);
        let length = (start + data.len()) as u64;
        let count = self.sections.len() as u32;

        let mut bytes = b"KINWOOD\n".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.section_count.unwrap_or(count).to_le_bytes());
        bytes.extend(self.file_length.unwrap_or(length).to_le_bytes());
        let manifest_length = self.manifest_length.unwrap_or(self.manifest.len() as u64);
        bytes.extend(manifest_length.to_le_bytes());
        bytes.extend(
            self.table_length
                .unwrap_or(table.len() as u64)
                .to_le_bytes(),
        );
        bytes.extend(Sha256::digest(&self.manifest));
        bytes.extend(Sha256::digest(&table));
        let own = Sha256::digest(&bytes);
        bytes.extend(own);
        bytes.extend(b"\0\0\0\0\0\0\0\n");
        bytes.extend(manifest);
        bytes.extend(table);
        bytes.extend(data);
        bytes.extend(&self.trailing);
        bytes
    }

    /// The place and the message of the error that reading the file gives.
    #[track_caller]
    fn refused(&self) -> (Place, String) {
        let error = Stored::from_bytes(self.bytes()).expect_err("a crafted file was accepted");
        (
            error.place().expect("an error about content names a place"),
            error.to_string(),
        )
    }

    #[track_caller]
    fn refused_with(&self, message: &str) {
        assert_eq!(self.refused().1, message);
    }
}

fn small() -> Sections {
    let mut sections = Sections::new();
    sections
        .manifest_mut()
        .insert("learner".into(), "knn".into());
    sections.put_f64("x", &[1.0, 2.5]).unwrap();
    sections.scope("tree").put_u32("columns", &[7]).unwrap();
    sections.put_text("classes", &["no", "yes"]).unwrap();
    sections.put_json("settings", &[1, 2]).unwrap();
    sections
}

#[test]
fn every_truncation_is_refused() {
    let bytes = small().to_bytes().unwrap();
    for length in 0..bytes.len() {
        let error = Stored::from_bytes(bytes[..length].to_vec()).unwrap_err();
        assert!(error.place().is_some(), "{length} bytes: {error}");
    }
    let cut = |length: usize| Stored::from_bytes(bytes[..length].to_vec()).unwrap_err();
    assert_eq!(cut(0).to_string(), "not a kinwood model file: it is empty");
    assert_eq!(cut(5).place(), Some(Place::Header));
    assert_eq!(cut(150).place(), Some(Place::Manifest));
    assert_eq!(cut(200).place(), Some(Place::SectionTable));
    assert_eq!(
        cut(bytes.len() - 1).place(),
        Some(Place::Section("settings".into()))
    );
}

#[test]
fn every_bit_flip_is_refused() {
    let bytes = small().to_bytes().unwrap();
    let mut places = Vec::new();
    for byte in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[byte] ^= 1 << bit;
            let error = Stored::from_bytes(flipped).unwrap_err();
            let place = error.place().expect("an error about content names a place");
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    let section = |name: &str| Place::Section(name.into());
    let expected = [
        Place::Header,
        Place::Manifest,
        Place::SectionTable,
        section("x"),
        section("tree/columns"),
        section("classes"),
        section("settings"),
    ];
    assert_eq!(places, expected);
}

#[test]
fn every_truncation_on_disk_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.kin");
    let bytes = small().to_bytes().unwrap();
    for length in (0..bytes.len()).step_by(7) {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(Stored::open(&path).is_err(), "{length} bytes");
    }
    fs::write(&path, [&bytes[..], b"more"].concat()).unwrap();
    assert!(Stored::open(&path).is_err());
    assert!(matches!(
        Stored::open(directory.path()),
        Err(Error::Read { .. })
    ));
}

#[test]
fn a_huge_stated_length_reserves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.kin");
    for stated in [1 << 50, u64::MAX] {
        let crafted = CraftedFile {
            file_length: Some(stated),
            ..file(&[])
        };
        fs::write(&path, crafted.bytes()).unwrap();
        let error = Stored::open(&path).unwrap_err();
        assert_eq!(error.place(), Some(Place::Header), "{error}");
    }
}

#[test]
fn other_files_are_told_what_they_look_like() {
    let message = |bytes: &[u8]| Stored::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    assert_eq!(
        message(b"PK\x03\x04"),
        "not a kinwood model file: it looks like a zip archive"
    );
    assert_eq!(
        message(b"\x1f\x8b\x08"),
        "not a kinwood model file: it looks like a gzip archive"
    );
    assert_eq!(
        message(b"a,b\n1,2\n"),
        "not a kinwood model file: it looks like text"
    );
    assert_eq!(
        message(b"\x7fELF\x02\x01"),
        "not a kinwood model file: it does not start with the signature `KINWOOD`"
    );
}

#[test]
fn a_newer_version_is_named() {
    CraftedFile {
        version: 2,
        ..file(&[])
    }
    .refused_with("header: found format version 2, this program reads version 1");
}

#[test]
fn the_document_describes_what_is_written() {
    let text = [3u64.to_le_bytes(), 3u64.to_le_bytes()].concat();
    let crafted = file(&[
        section("a/numbers", 5, 1, &2.5f64.to_le_bytes()),
        section("b", 6, 2, &[&text[..], b"n\xc3\xb6"].concat()),
        section("c", 7, 1, b"[1,2]"),
    ]);
    let mut sections = Sections::new();
    sections.put_f64("a/numbers", &[2.5]).unwrap();
    sections.put_text("b", &["nö", ""]).unwrap();
    sections.put_json("c", &[1, 2]).unwrap();
    assert_eq!(crafted.bytes(), sections.to_bytes().unwrap());
}

#[test]
fn counts_and_lengths_must_agree() {
    for kind in 1..=7 {
        for count in [0, 2, 1 << 61, 1 << 62, u64::MAX] {
            let crafted = file(&[section("x", kind, count, &[0; 12])]);
            assert_eq!(
                crafted.refused().0,
                Place::Section("x".into()),
                "{kind} {count}"
            );
        }
    }
    file(&[section("x", 5, u64::MAX, &[0; 8])]).refused_with(
        "section `x` is damaged: 18446744073709551615 elements of kind f64 cannot take 8 bytes",
    );
}

#[test]
fn lengths_beyond_the_file_are_refused() {
    for (count, length) in [(1 << 40, 1 << 40), (u64::MAX, u64::MAX), (9, 9)] {
        let lying = Crafted {
            length: Some(length),
            ..section("x", 1, count, &[0; 8])
        };
        let (place, message) = file(&[lying]).refused();
        assert_eq!(place, Place::Section("x".into()));
        assert!(message.contains("the file has only"), "{message}");
    }
    for length in [1 << 20, u64::MAX, u64::MAX - 7] {
        let long = CraftedFile {
            manifest_length: Some(length),
            ..file(&[])
        };
        assert_eq!(long.refused().0, Place::Manifest);
        let long = CraftedFile {
            table_length: Some(length),
            ..file(&[])
        };
        assert_eq!(long.refused().0, Place::SectionTable);
    }
}

#[test]
fn sections_follow_each_other() {
    let honest = [section("x", 1, 8, &[1; 8]), section("y", 1, 8, &[2; 8])];
    assert!(Stored::from_bytes(file(&honest).bytes()).is_ok());
    // Header 144, manifest 8, two entries of 72: the first section starts at 296.
    for offset in [0, 296, 297, 305, 312, 1 << 40, u64::MAX] {
        let mut sections = honest.clone();
        sections[1].offset = Some(offset);
        file(&sections).refused_with(&format!(
            "section `y` is damaged: it is said to start at byte {offset}, expected 304"
        ));
    }
    let mut sections = honest.clone();
    sections[0].offset = Some(304);
    assert_eq!(file(&sections).refused().0, Place::Section("x".into()));
}

#[test]
fn kinds_are_checked() {
    for kind in [0, 8, u32::MAX] {
        file(&[section("x", kind, 1, &[0])]).refused_with(&format!(
            "section `x` is damaged: unknown element kind {kind}"
        ));
    }
    let stored = Stored::from_bytes(file(&[section("x", 4, 1, &[0; 8])]).bytes()).unwrap();
    assert!(matches!(stored.f64s("x"), Err(Error::Kind { .. })));
    assert_eq!(stored.i64s("x").unwrap(), [0]);
}

#[test]
fn names_are_checked() {
    let twice = [
        section("x", 1, 0, b""),
        section("y", 1, 0, b""),
        section("x", 2, 0, b""),
    ];
    file(&twice).refused_with("duplicate section `x`");
    let named = |name: &[u8]| Crafted {
        name: name.into(),
        ..section("", 1, 0, b"")
    };
    for (name, fault) in [
        (&b"\xff\xfe"[..], "is not valid UTF-8"),
        (b"", "has an empty segment"),
        (b"a//b", "has an empty segment"),
        (b"a\nb", "has a control character"),
        (&[b'a'; 1025], "is longer than 1024 bytes"),
    ] {
        file(&[section("x", 1, 0, b""), named(name)]).refused_with(&format!(
            "section table is damaged: the name of entry 1 {fault}"
        ));
    }
}

#[test]
fn padding_is_zero() {
    let crafted = file(&[Crafted {
        padding: 1,
        ..section("x", 1, 3, b"abc")
    }]);
    crafted.refused_with("section `x` is damaged: its padding is not as prescribed");
    let crafted = file(&[Crafted {
        name_padding: 1,
        ..section("x", 1, 3, b"abc")
    }]);
    crafted.refused_with("section table is damaged: its padding is not as prescribed");
    let crafted = CraftedFile {
        manifest_padding: b' ',
        ..file(&[])
    };
    crafted.refused_with("manifest is damaged: its padding is not as prescribed");
}

#[test]
fn the_file_ends_with_the_last_section() {
    let section = || section("x", 1, 8, &[0; 8]);
    for trailing in [&b"\0"[..], &[0; 8], b"more"] {
        let crafted = CraftedFile {
            trailing: trailing.into(),
            ..file(&[section()])
        };
        assert_eq!(crafted.refused().0, Place::Header);
        let length = crafted.bytes().len() as u64;
        let crafted = CraftedFile {
            file_length: Some(length),
            ..crafted
        };
        assert_eq!(crafted.refused().0, Place::Header);
    }
    for length in [0, 143, 231, 240, u64::MAX] {
        let crafted = CraftedFile {
            file_length: Some(length),
            ..file(&[section()])
        };
        assert_eq!(crafted.refused().0, Place::Header);
    }
}

#[test]
fn the_table_holds_the_stated_entries() {
    let section = section("x", 1, 0, b"");
    for count in [0, 2, u32::MAX] {
        let crafted = CraftedFile {
            section_count: Some(count),
            ..file(std::slice::from_ref(&section))
        };
        crafted.refused_with(&format!(
            "section table is damaged: it does not hold exactly the {count} entries that the \
             header states"
        ));
    }
    for extra in [8, 64, 72] {
        let crafted = CraftedFile {
            extra_table: vec![0; extra],
            ..file(std::slice::from_ref(&section))
        };
        assert_eq!(crafted.refused().0, Place::SectionTable);
    }
    // An entry whose name would be longer than the table, and one of almost 2^32 bytes.
    for length in [73u32, u32::MAX] {
        let mut entry = vec![0; 64];
        entry[..4].copy_from_slice(&length.to_le_bytes());
        let crafted = CraftedFile {
            extra_table: entry,
            section_count: Some(2),
            ..file(std::slice::from_ref(&section))
        };
        assert_eq!(crafted.refused().0, Place::SectionTable);
    }
}

#[test]
fn strings_are_checked() {
    let text = |ends: &[u64], content: &[u8]| {
        let ends: Vec<u8> = ends.iter().flat_map(|end| end.to_le_bytes()).collect();
        let count = ends.len() as u64 / 8;
        file(&[section("x", 6, count, &[&ends[..], content].concat())])
    };
    assert!(Stored::from_bytes(text(&[1, 3], b"abc").bytes()).is_ok());
    for (ends, string) in [
        ([2, 1], 1),
        ([1, 2], 1),
        ([4, 3], 0),
        ([1, u64::MAX], 1),
        ([u64::MAX, 3], 0),
    ] {
        text(&ends, b"abc").refused_with(&format!(
            "section `x` is damaged: the end of string {string} is out of order"
        ));
    }
    text(&[1, 2], "ö".as_bytes()).refused_with("section `x` is damaged: it is not valid UTF-8");
    text(&[2], b"\xff\xff").refused_with("section `x` is damaged: it is not valid UTF-8");
    text(&[], b"abc")
        .refused_with("section `x` is damaged: 0 elements of kind text cannot take 3 bytes");
}

#[test]
fn json_is_checked() {
    for content in [&b"{"[..], b"[1,2", b"1 2", b"nul", b"\"\xff\"", b" "] {
        let crafted = file(&[section("x", 7, 1, content)]);
        assert_eq!(crafted.refused().0, Place::Section("x".into()));
    }
    let deep = "[".repeat(1_000_000);
    file(&[section("x", 7, 1, deep.as_bytes())])
        .refused_with("section `x`: JSON nested deeper than 100 levels");
    for manifest in [
        &b""[..],
        b"[]",
        b"null",
        b"{\"a\":",
        b"{} {}",
        b"{\"\xff\":1}",
    ] {
        let crafted = CraftedFile {
            manifest: manifest.into(),
            ..file(&[])
        };
        assert_eq!(crafted.refused().0, Place::Manifest);
    }
    let nested = format!("{{\"a\":{deep}");
    let crafted = CraftedFile {
        manifest: nested.into(),
        ..file(&[])
    };
    crafted.refused_with("manifest: JSON nested deeper than 100 levels");
    let crafted = CraftedFile {
        manifest: vec![b' '; (16 << 20) + 1],
        ..file(&[])
    };
    crafted.refused_with("manifest is too large: found 16777217, at most 16777216 allowed");
}
