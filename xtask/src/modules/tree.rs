//! The modules of a crate: what each defines, imports and refers to.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::tokens::{PATH, Token, cut};

/// Where a module is: the names from the crate's root to it.
pub(super) type Position = Vec<String>;

/// The modules of a crate by position.
pub(super) type Modules = BTreeMap<Position, Module>;

/// A module, without its children.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) file: PathBuf,
    pub(super) children: Vec<String>,
    /// Names of its own items.
    pub(super) defined: HashSet<String>,
    /// Names that its `use` declarations bring, with the path they stand for.
    pub(super) imports: BTreeMap<String, Vec<String>>,
    /// Modules whose names it takes by `*`.
    pub(super) globs: Vec<Vec<String>>,
    /// Paths of at least two names, and all that is imported.
    pub(super) references: Vec<Reference>,
    /// Names that stand alone and could have come by a `*`.
    pub(super) bare: Vec<Reference>,
    /// Strings, characters and numbers, those of attributes too, and the lines they begin on.
    pub(super) literals: Vec<(usize, String)>,
}

/// A path and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

/// Reads a crate from its root file on.
pub(super) fn read(
    root: &Path,
    source: &dyn Fn(&Path) -> Option<String>,
) -> Result<Modules, String> {
    let text = source(root).ok_or_else(|| format!("cannot read {}", root.display()))?;
    let folder = root.parent().unwrap_or(Path::new("")).to_owned();
    let mut reader = Reader {
        source,
        modules: Modules::new(),
    };
    reader.module(Vec::new(), root, &folder, &cut(&text).tokens)?;
    Ok(reader.modules)
}

struct Reader<'a> {
    source: &'a dyn Fn(&Path) -> Option<String>,
    modules: Modules,
}

impl Reader<'_> {
    /// Adds a module and its children; `folder` is where the files of its children are.
    fn module(
        &mut self,
        position: Position,
        file: &Path,
        folder: &Path,
        tokens: &[Token],
    ) -> Result<(), String> {
        let mut scan = Scan::new(file, tokens);
        scan.run();
        let Scan {
            module, children, ..
        } = scan;
        self.modules.insert(position.clone(), module);
        for child in children {
            let position = [position.as_slice(), std::slice::from_ref(&child.name)].concat();
            let below = folder.join(&child.name);
            if let Some(body) = child.body {
                self.module(position, file, &below, body)?;
                continue;
            }
            let places = [below.with_extension("rs"), below.join("mod.rs")];
            let found = places
                .iter()
                .find_map(|place| (self.source)(place).map(|text| (place, text)));
            let (place, text) = found.ok_or_else(|| {
                let (file, line, name) = (file.display(), child.line, &child.name);
                format!("{file}:{line}: there is no file of module `{name}`")
            })?;
            self.module(position, place, &below, &cut(&text).tokens)?;
        }
        Ok(())
    }
}

/// A child as its parent declares it.
struct Child<'a> {
    name: String,
    line: usize,
    /// What stands between its braces; none for one in a file of its own.
    body: Option<&'a [Token]>,
}

/// A walk over the tokens of one module.
struct Scan<'a> {
    tokens: &'a [Token],
    at: usize,
    /// How many braces are open.
    depth: usize,
    module: Module,
    children: Vec<Child<'a>>,
}

impl<'a> Scan<'a> {
    fn new(file: &Path, tokens: &'a [Token]) -> Self {
        Scan {
            tokens,
            at: 0,
            depth: 0,
            module: Module {
                file: file.to_owned(),
                ..Module::default()
            },
            children: Vec::new(),
        }
    }

    fn run(&mut self) {
        while self.at < self.tokens.len() {
            self.step();
        }
    }

    fn token(&self, offset: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + offset)
    }

    fn word(&self, offset: usize) -> Option<&'a str> {
        self.token(offset).and_then(Token::word)
    }

    fn is(&self, offset: usize, mark: char) -> bool {
        self.token(offset).is_some_and(|token| token.is(mark))
    }

    fn step(&mut self) {
        if self.is(0, '#') && (self.is(1, '[') || (self.is(1, '!') && self.is(2, '['))) {
            return self.attribute();
        }
        match self.word(0) {
            Some("mod") if self.depth == 0 && self.word(1).is_some() => self.child(),
            Some("use") if !self.is(1, '<') => self.import(),
            Some(_) => self.name(),
            None => {
                if self.is(0, '{') {
                    self.depth += 1;
                } else if self.is(0, '}') {
                    self.depth = self.depth.saturating_sub(1);
                }
                self.literals(self.at, self.at + 1);
                self.at += 1;
            }
        }
    }

    /// Takes the literals among some tokens.
    fn literals(&mut self, from: usize, to: usize) {
        let found = self.tokens[from..to]
            .iter()
            .filter_map(|token| Some((token.line, token.literal()?.to_owned())));
        self.module.literals.extend(found);
    }

    /// Passes an attribute, and what it belongs to if that is for tests.
    fn attribute(&mut self) {
        let inner = self.is(1, '!');
        let open = self.at + if inner { 2 } else { 1 };
        let end = close(self.tokens, open);
        let tests = for_tests(&self.tokens[open..end]);
        self.at = end;
        match (tests, inner) {
            (true, true) => self.at = self.tokens.len(),
            (true, false) => self.at = end_of_item(self.tokens, end),
            (false, _) => self.literals(open, end),
        }
    }

    fn child(&mut self) {
        let name = self.word(1).unwrap_or_default().to_owned();
        let line = self.tokens[self.at].line;
        let open = self.at + 2;
        let body = if self.is(2, '{') {
            let end = close(self.tokens, open);
            self.at = end;
            Some(&self.tokens[open + 1..end.saturating_sub(1).max(open + 1)])
        } else {
            self.at = open;
            None
        };
        self.module.children.push(name.clone());
        self.children.push(Child { name, line, body });
    }

    fn import(&mut self) {
        let start = self.at + 1;
        let rest = &self.tokens[start..];
        let length = rest.iter().position(|token| token.is(';'));
        let tree = &rest[..length.unwrap_or(rest.len())];
        self.at = start + tree.len();
        let mut found = Vec::new();
        expand(tree, &[], &mut found);
        for leaf in found {
            let Leaf { path, alias, line } = leaf;
            match (path.split_last(), self.depth) {
                (Some((star, parent)), _) if star == "*" => {
                    self.module.globs.push(parent.to_vec());
                    let path = parent.to_vec();
                    self.module.references.push(Reference { path, line });
                }
                (Some((last, _)), depth) => {
                    // What a function imports for itself is no name of the module.
                    if depth == 0 {
                        let name = alias.unwrap_or_else(|| last.clone());
                        self.module.imports.insert(name, path.clone());
                    }
                    self.module.references.push(Reference { path, line });
                }
                (None, _) => {}
            }
        }
    }

    /// Takes a path or a name; notes it as an item's own if a keyword comes before.
    fn name(&mut self) {
        let before = |back: usize| self.at.checked_sub(back).map(|at| &self.tokens[at]);
        let member = before(1).is_some_and(|token| token.is('.'))
            && !before(2).is_some_and(|token| token.is('.'));
        let inside = before(1).is_some_and(|token| token.is(PATH));
        let definition = before(1).and_then(Token::word).is_some_and(|word| {
            [
                "fn", "struct", "enum", "union", "trait", "type", "const", "static",
            ]
            .contains(&word)
        }) || (before(1).is_some_and(|token| token.is('!'))
            && before(2).is_some_and(|token| token.is_word("macro_rules")));
        let line = self.tokens[self.at].line;
        let mut path = vec![self.word(0).unwrap_or_default().to_owned()];
        self.at += 1;
        while self.is(0, PATH) && self.word(1).is_some() {
            path.extend(self.word(1).map(str::to_owned));
            self.at += 2;
        }
        if definition && self.depth == 0 {
            self.module.defined.extend(path.pop());
        } else if !member && !inside && !definition {
            if path.len() > 1 {
                self.module.references.push(Reference { path, line });
            } else if path[0].starts_with(char::is_uppercase) || self.is(0, '(') || self.is(0, '!')
            {
                self.module.bare.push(Reference { path, line });
            }
        }
    }
}

/// One path of a `use` declaration.
struct Leaf {
    path: Vec<String>,
    alias: Option<String>,
    line: usize,
}

/// The paths of a `use` tree; a star is a name.
fn expand(tree: &[Token], prefix: &[String], found: &mut Vec<Leaf>) {
    let mut path = prefix.to_vec();
    let mut alias = None;
    let mut at = 0;
    // A path from the root of names (`::a`) begins with a crate, which `use a` would find too
    // unless there is a module of that name: an empty name makes the difference.
    if tree.first().is_some_and(|token| token.is(PATH)) && prefix.is_empty() {
        path.push(String::new());
    }
    while let Some(token) = tree.get(at) {
        if token.is('{') {
            let end = close(tree, at);
            for part in parts(&tree[at + 1..end.saturating_sub(1).max(at + 1)]) {
                expand(part, &path, found);
            }
            return;
        } else if token.is('*') {
            path.push("*".to_owned());
        } else if token.is_word("as") {
            alias = tree.get(at + 1).and_then(Token::word).map(str::to_owned);
            break;
        } else if let Some(word) = token.word()
            && (word != "self" || path.is_empty())
        {
            path.push(word.to_owned());
        }
        at += 1;
    }
    let line = tree.first().map_or(0, |token| token.line);
    found.push(Leaf { path, alias, line });
}

/// What commas divide, outside of braces.
fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    let divided = tokens.split(|token| {
        if token.is('{') {
            depth += 1;
        } else if token.is('}') {
            depth = depth.saturating_sub(1);
        }
        depth == 0 && token.is(',')
    });
    divided.filter(|part| !part.is_empty()).collect()
}

/// The position after the bracket that closes the one at `open`.
fn close(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if "([{".chars().any(|mark| token.is(mark)) {
            depth += 1;
        } else if ")]}".chars().any(|mark| token.is(mark)) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

/// Whether an attribute, from its bracket on, is `cfg(test)` or `cfg(all(test, …))`.
fn for_tests(attribute: &[Token]) -> bool {
    let words: Vec<&str> = attribute.iter().filter_map(Token::word).collect();
    match words.as_slice() {
        ["cfg", "test"] => true,
        ["cfg", "all", rest @ ..] => rest.contains(&"test") && !rest.contains(&"not"),
        _ => false,
    }
}

/// The position after the item, field or statement that begins here.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut at = start;
    while tokens.get(at).is_some_and(|token| token.is('#')) {
        at = close(tokens, at + 1);
    }
    let first = at;
    let mut words = tokens[first..].iter().filter_map(Token::word);
    let mut keyword = words.next().unwrap_or_default();
    if keyword == "pub" {
        const WITHIN: &[&str] = &["crate", "super", "self", "in"];
        keyword = words
            .find(|word| !WITHIN.contains(word))
            .unwrap_or_default();
    }
    let function = keyword == "const" && words.next() == Some("fn");
    let statement = ["use", "const", "static", "type", "let"].contains(&keyword) && !function;
    let item = statement
        || [
            "fn",
            "const",
            "async",
            "unsafe",
            "extern",
            "struct",
            "enum",
            "union",
            "trait",
            "impl",
            "mod",
            "macro_rules",
        ]
        .contains(&keyword);
    while let Some(token) = tokens.get(at) {
        if token.is(';') || (token.is(',') && !item) {
            return at + 1;
        } else if token.is('}') {
            return at;
        } else if token.is('{') {
            at = close(tokens, at);
            if !statement {
                return at;
            }
        } else if token.is('(') || token.is('[') {
            at = close(tokens, at);
        } else {
            at += 1;
        }
    }
    at
}
