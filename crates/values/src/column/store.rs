//! Columns in model files: written buffer by buffer, and checked buffer by buffer when read.
//!
//! A file may be truncated, damaged or crafted. Reading trusts nothing: every length, code, offset
//! and shape is checked against what it refers to, so that later code may index without asking.

use std::sync::Arc;

use super::structured::TermNode;
use super::{Cells, Column, Graphs, Kind, Members, Terms, Texts, Trees};
use crate::container::{Sections, Stored, invalid};
use crate::dictionary::Dictionary;
use crate::error::Error;
use crate::offsets::Offsets;
use crate::text::finite;
use crate::types::Type;
use crate::validity::Validity;

impl Column {
    /// Writes the buffers under a scope. The type is not written: whoever reads says which it
    /// expects.
    pub fn write(&self, scope: &mut Sections) -> Result<(), Error> {
        scope.put_u64("rows", &[self.len() as u64])?;
        if let Some(validity) = self.validity() {
            scope.put_u64("present", validity.words())?;
        }
        match self.cells() {
            Cells::Nominal { codes, dictionary } => {
                scope.put_u32("codes", codes)?;
                put_dictionary(scope, dictionary)?;
            }
            Cells::Numeric(numbers) => scope.put_f64("numbers", numbers)?,
            Cells::DateTime(instants) => scope.put_i64("instants", instants)?,
            Cells::String(texts) => {
                scope.put_u8("text", texts.text.as_bytes())?;
                scope.put_u64("ends", &texts.ends)?;
            }
            Cells::Collection { members, .. } => {
                scope.put_u32("offsets", members.offsets.positions())?;
                members.child.write(&mut scope.scope("members"))?;
            }
            Cells::Tuple { fields, .. } => {
                for (position, field) in fields.iter().enumerate() {
                    field.write(&mut scope.scope(&position.to_string()))?;
                }
            }
            Cells::Tree(trees) => {
                scope.put_u32("offsets", trees.offsets.positions())?;
                scope.put_u32("labels", &trees.labels)?;
                scope.put_u32("arities", &trees.arities)?;
                put_dictionary(scope, &trees.dictionary)?;
            }
            Cells::Term(terms) => {
                scope.put_u32("offsets", terms.offsets.positions())?;
                scope.put_u8(
                    "kinds",
                    &terms
                        .kinds
                        .iter()
                        .map(|kind| *kind as u8)
                        .collect::<Vec<_>>(),
                )?;
                scope.put_u32("symbols", &terms.symbols)?;
                scope.put_u32("arities", &terms.arities)?;
                scope.put_f64("numbers", &terms.numbers)?;
                put_dictionary(scope, &terms.dictionary)?;
            }
            Cells::Graph(graphs) => {
                let directed: Vec<u8> = graphs
                    .directed
                    .iter()
                    .map(|&directed| u8::from(directed))
                    .collect();
                scope.put_u8("directed", &directed)?;
                scope.put_u32("node offsets", graphs.node_offsets.positions())?;
                scope.put_u32("ids", &graphs.ids)?;
                scope.put_u32("labels", &optional_codes(&graphs.labels))?;
                scope.put_u32("edge offsets", graphs.edge_offsets.positions())?;
                scope.put_u32("from", &graphs.from)?;
                scope.put_u32("to", &graphs.to)?;
                scope.put_u32("edge labels", &optional_codes(&graphs.edge_labels))?;
                put_dictionary(scope, &graphs.dictionary)?;
            }
            Cells::Ref { rows, .. } => scope.put_u32("targets", rows)?,
        }
        Ok(())
    }

    /// Reads the buffers of a column of this type, checking all of them.
    pub fn read(stored: &Stored, of: &Type) -> Result<Self, Error> {
        let rows = read_rows(stored)?;
        let validity = if stored.has("present") {
            let words = stored.u64s("present")?;
            let validity = Validity::from_words(words, rows);
            Some(
                validity
                    .ok_or_else(|| wrong(stored, "present", format!("no bits for {rows} rows")))?,
            )
        } else {
            None
        };
        let present = |row: usize| {
            validity
                .as_ref()
                .is_none_or(|validity| validity.is_present(row))
        };
        let collection = |kind, of: &Type| -> Result<Cells, Error> {
            let child = Column::read(&stored.scope("members"), of)?;
            let offsets = read_offsets(stored, "offsets", rows, child.len())?;
            let members = Members {
                offsets,
                child: Box::new(child),
            };
            Ok(Cells::Collection { kind, members })
        };
        let cells = match of {
            Type::Nominal => {
                let dictionary = read_dictionary(stored)?;
                let codes = stored.u32s_len("codes", rows)?;
                let known = |(row, code): (usize, &u32)| {
                    !present(row) || (*code as usize) < dictionary.len()
                };
                if !codes.iter().enumerate().all(known) {
                    return Err(wrong(stored, "codes", "a code without a label".to_owned()));
                }
                Cells::Nominal {
                    codes,
                    dictionary: Arc::new(dictionary),
                }
            }
            Type::Numeric => {
                let numbers = stored.f64s_len("numbers", rows)?;
                if numbers
                    .iter()
                    .enumerate()
                    .any(|(row, number)| present(row) && number.is_nan())
                {
                    return Err(wrong(
                        stored,
                        "numbers",
                        "a value that is not a number".to_owned(),
                    ));
                }
                Cells::Numeric(numbers)
            }
            Type::DateTime => {
                let instants = stored.i64s_len("instants", rows)?;
                if !instants
                    .iter()
                    .all(|&instant| crate::datetime::in_calendar(instant))
                {
                    return Err(wrong(
                        stored,
                        "instants",
                        "a time outside the calendar".to_owned(),
                    ));
                }
                Cells::DateTime(instants)
            }
            Type::String => Cells::String(read_texts(stored, rows)?),
            Type::List(of) => collection(Kind::List, of)?,
            Type::Set(of) => collection(Kind::Set, of)?,
            Type::Bag(of) => collection(Kind::Bag, of)?,
            Type::Tuple(fields) => {
                let mut columns = Vec::with_capacity(fields.len());
                for (position, field) in fields.iter().enumerate() {
                    let column = Column::read(&stored.scope(&position.to_string()), &field.of)?;
                    if column.len() != rows {
                        let found = format!(
                            "field {} has {} rows, expected {rows}",
                            position + 1,
                            column.len()
                        );
                        return Err(wrong(stored, "rows", found));
                    }
                    columns.push(column);
                }
                let names = fields.iter().map(|field| field.name.clone()).collect();
                Cells::Tuple {
                    names,
                    fields: columns,
                    rows,
                }
            }
            Type::Tree => Cells::Tree(read_trees(stored, rows, &present)?),
            Type::Term => Cells::Term(read_terms(stored, rows, &present)?),
            Type::Graph => Cells::Graph(read_graphs(stored, rows, &present)?),
            Type::Ref(table) => Cells::Ref {
                table: table.clone(),
                rows: stored.u32s_len("targets", rows)?,
            },
        };
        Ok(Column::new(cells, validity))
    }
}

fn wrong(stored: &Stored, section: &str, reason: String) -> Error {
    invalid(stored.full_name(section), reason).into()
}

/// The number of rows stated, which the buffers must then bear out.
fn read_rows(stored: &Stored) -> Result<usize, Error> {
    let rows = stored.u64s_len("rows", 1)?[0];
    // Rows are numbered by 32 bits, and a tuple without fields has no buffer to bear its number
    // out.
    if rows > u64::from(u32::MAX) {
        return Err(wrong(
            stored,
            "rows",
            format!("{rows} rows are more than a column can have"),
        ));
    }
    Ok(rows as usize)
}

fn put_dictionary(scope: &mut Sections, dictionary: &Dictionary) -> Result<(), Error> {
    let labels: Vec<&str> = dictionary.labels().collect();
    Ok(scope.put_text("dictionary", &labels)?)
}

fn read_dictionary(stored: &Stored) -> Result<Dictionary, Error> {
    let labels = stored.text("dictionary")?;
    let dictionary = Dictionary::from_labels(&labels);
    if dictionary.len() == labels.len() {
        Ok(dictionary)
    } else {
        Err(wrong(
            stored,
            "dictionary",
            "a label stands twice".to_owned(),
        ))
    }
}

fn read_offsets(stored: &Stored, name: &str, rows: usize, items: usize) -> Result<Offsets, Error> {
    let positions = stored.u32s_len(name, rows + 1)?;
    Offsets::from_positions(positions, items).ok_or_else(|| {
        wrong(
            stored,
            name,
            format!("no offsets of {rows} rows over {items} items"),
        )
    })
}

fn read_texts(stored: &Stored, rows: usize) -> Result<Texts, Error> {
    let text = String::from_utf8(stored.bytes("text")?)
        .map_err(|_| wrong(stored, "text", "not UTF-8".to_owned()))?;
    let ends = stored.u64s_len("ends", rows)?;
    let whole = ends.last().copied().unwrap_or(0) == text.len() as u64;
    let cuts = |end: &u64| usize::try_from(*end).is_ok_and(|end| text.is_char_boundary(end));
    if whole && ends.is_sorted() && ends.iter().all(cuts) {
        Ok(Texts { text, ends })
    } else {
        Err(wrong(
            stored,
            "ends",
            "strings that do not lie end to end".to_owned(),
        ))
    }
}

/// Every present row must hold what its type says; a row is built once to find out, and thrown
/// away.
fn check_rows(
    stored: &Stored,
    section: &str,
    rows: usize,
    present: &dyn Fn(usize) -> bool,
    built: impl Fn(usize) -> bool,
) -> Result<(), Error> {
    match (0..rows).find(|&row| present(row) && !built(row)) {
        None => Ok(()),
        Some(row) => Err(wrong(
            stored,
            section,
            format!("row {} is not of its type", row + 1),
        )),
    }
}

fn read_trees(
    stored: &Stored,
    rows: usize,
    present: &dyn Fn(usize) -> bool,
) -> Result<Trees, Error> {
    let dictionary = Arc::new(read_dictionary(stored)?);
    let labels = stored.indices("labels", dictionary.len())?;
    let arities = stored.u32s_len("arities", labels.len())?;
    let offsets = read_offsets(stored, "offsets", rows, labels.len())?;
    check_rows(stored, "arities", rows, present, |row| {
        crate::tree::subtree_sizes(&arities[offsets.range(row)]).is_ok()
    })?;
    Ok(Trees {
        offsets,
        labels,
        arities,
        dictionary,
    })
}

fn read_terms(
    stored: &Stored,
    rows: usize,
    present: &dyn Fn(usize) -> bool,
) -> Result<Terms, Error> {
    let dictionary = Arc::new(read_dictionary(stored)?);
    let kinds = stored
        .bytes("kinds")?
        .into_iter()
        .map(|kind| match kind {
            0 => Ok(TermNode::Functor),
            1 => Ok(TermNode::Number),
            2 => Ok(TermNode::Variable),
            _ => Err(wrong(stored, "kinds", format!("{kind} is no kind of node"))),
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let symbols = stored.u32s_len("symbols", kinds.len())?;
    let arities = stored.u32s_len("arities", kinds.len())?;
    let numbers = stored.f64s_len("numbers", kinds.len())?;
    for (node, kind) in kinds.iter().enumerate() {
        let named = (symbols[node] as usize) < dictionary.len();
        let fits = match kind {
            TermNode::Functor => named,
            TermNode::Variable => named && arities[node] == 0,
            TermNode::Number => arities[node] == 0 && finite(numbers[node]).is_ok(),
        };
        if !fits {
            return Err(wrong(
                stored,
                "kinds",
                format!("node {} is not what it says", node + 1),
            ));
        }
    }
    let offsets = read_offsets(stored, "offsets", rows, kinds.len())?;
    let terms = Terms {
        offsets,
        kinds,
        symbols,
        arities,
        numbers,
        dictionary,
    };
    check_rows(stored, "arities", rows, present, |row| {
        crate::tree::subtree_sizes(&terms.arities[terms.offsets.range(row)]).is_ok()
    })?;
    Ok(terms)
}

/// Codes shifted by one, so that 0 says there is none.
fn optional_codes(codes: &[Option<u32>]) -> Vec<u32> {
    codes
        .iter()
        .map(|code| code.map_or(0, |code| code + 1))
        .collect()
}

fn read_optional_codes(
    stored: &Stored,
    name: &str,
    labels: usize,
) -> Result<Vec<Option<u32>>, Error> {
    let codes = stored.indices(name, labels + 1)?;
    Ok(codes.into_iter().map(|code| code.checked_sub(1)).collect())
}

fn read_graphs(
    stored: &Stored,
    rows: usize,
    present: &dyn Fn(usize) -> bool,
) -> Result<Graphs, Error> {
    let dictionary = Arc::new(read_dictionary(stored)?);
    let directed = stored.bytes_len("directed", rows)?;
    if directed.iter().any(|&directed| directed > 1) {
        return Err(wrong(
            stored,
            "directed",
            "neither true nor false".to_owned(),
        ));
    }
    let ids = stored.indices("ids", dictionary.len())?;
    let labels = read_optional_codes(stored, "labels", dictionary.len())?;
    if labels.len() != ids.len() {
        return Err(wrong(
            stored,
            "labels",
            format!("{} labels of {} nodes", labels.len(), ids.len()),
        ));
    }
    let from = stored.u32s("from")?;
    let to = stored.u32s_len("to", from.len())?;
    let edge_labels = read_optional_codes(stored, "edge labels", dictionary.len())?;
    if edge_labels.len() != from.len() {
        let found = format!("{} labels of {} edges", edge_labels.len(), from.len());
        return Err(wrong(stored, "edge labels", found));
    }
    let node_offsets = read_offsets(stored, "node offsets", rows, ids.len())?;
    let edge_offsets = read_offsets(stored, "edge offsets", rows, from.len())?;
    check_rows(stored, "from", rows, present, |row| {
        let nodes = node_offsets.range(row);
        let ends_fit = edge_offsets
            .range(row)
            .all(|edge| (from[edge] as usize) < nodes.len() && (to[edge] as usize) < nodes.len());
        let mut names = ids[nodes].to_vec();
        names.sort_unstable();
        ends_fit && names.windows(2).all(|pair| pair[0] != pair[1])
    })?;
    let directed = directed.into_iter().map(|directed| directed == 1).collect();
    Ok(Graphs {
        directed,
        node_offsets,
        ids,
        labels,
        edge_offsets,
        from,
        to,
        edge_labels,
        dictionary,
    })
}
