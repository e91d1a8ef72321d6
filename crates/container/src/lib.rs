//! The .kin file: sections, checksums, versions.
