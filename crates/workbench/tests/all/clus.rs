//! Settings files of CLUS, written by ourselves: data, targets, roles, settings, and what is not
//! honoured.

use std::fs;

use kinwood_values::{Role, Table};
use kinwood_workbench::clus::Run;
use kinwood_workbench::{Choices, Opening, open};
use tempfile::TempDir;

const FLOWERS: &str = "@relation flowers
@attribute name string
@attribute id numeric
@attribute length numeric
@attribute width numeric
@attribute colour {red,blue}
@attribute kind {a,b}
@attribute note string
@data
rose,1,1.5,2,red,a,x
lily,2,2.5,1,blue,b,y
iris,3,3.5,1,blue,b,z
";

fn folder(settings: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("flowers.arff"), FLOWERS).unwrap();
    fs::write(folder.path().join("run.s"), settings).unwrap();
    folder
}

fn run(settings: &str) -> (TempDir, kinwood_workbench::Result<Run>) {
    let folder = folder(settings);
    let run = Run::read(&folder.path().join("run.s"));
    (folder, run)
}

fn refused(settings: &str) -> String {
    let (folder, run) = run(settings);
    let path = format!("{}/", folder.path().display());
    run.unwrap_err().to_string().replace(&path, "")
}

fn set<'a>(run: &'a Run, name: &str) -> Option<&'a str> {
    let found = run.settings.iter().find(|setting| setting.0 == name);
    found.map(|setting| setting.1.as_str())
}

#[test]
fn keys_become_settings() {
    let (folder, run) = run("[Data]
File = flowers.arff
[Attributes]
Target = 6
Weights = Normalize
[Model]
MinimalWeight = 5.0
NominalSubsetTests = No
[Tree]
Heuristic = GainRatio
PruningMethod = C4.5
InductionOrder = BestFirst
FTest = 0.05
[Constraints]
MaxSize = 11
MaxDepth = Infinity
MaxError = 0.1
Syntactic = part.txt
[Hierarchical]
WParam = 0.5
[Ensemble]
Iterations = 10
[Output]
WritePredictions = {Test}
");
    let run = run.unwrap();
    assert_eq!(run.data, folder.path().join("flowers.arff"));
    let like = format!("like({})", folder.path().join("part.txt").display());
    let constraints = format!("error <= 0.1 and {like}");
    let expected = [
        ("leaf", "5"),
        ("subsets", "false"),
        ("heuristic", "gain_ratio"),
        ("pruning", "c45"),
        ("search", "best_first"),
        ("size", "11"),
        ("hierarchy_weight", "0.5"),
        ("threshold", "value"),
        ("constraints", &constraints),
    ];
    let found: Vec<(&str, &str)> = run
        .settings
        .iter()
        .map(|setting| (setting.0.as_str(), setting.1.as_str()))
        .collect();
    assert_eq!(found, expected);
    let told: Vec<&str> = run.notices.iter().map(|notice| notice.message()).collect();
    assert_eq!(
        told,
        [
            "`FTest = 0.05` in `[Tree]` (line 13) is not honoured",
            "`Iterations = 10` in `[Ensemble]` (line 22) is not honoured",
            "`WritePredictions = {Test}` in `[Output]` (line 24) is not honoured",
        ]
    );
}

#[test]
fn a_section_about_beams_asks_for_one() {
    let (_folder, run) = run("[Data]
File = flowers.arff
XVal = 10
[Constraints]
MaxSize = 7
[Beam]
SizePenalty = 0.00001
BeamWidth = 10
BeamSimilarity = 1
MaxSize = 9
BeamToForest = Yes
");
    let run = run.unwrap();
    let found = ["search", "alpha", "width", "beta", "size", "combine"].map(|name| set(&run, name));
    let expected = ["beam", "0.00001", "10", "1", "7", "vote"].map(Some);
    assert_eq!(found, expected);
    let told: Vec<&str> = run.notices.iter().map(|notice| notice.message()).collect();
    assert_eq!(
        told,
        [
            "`XVal = 10` in `[Data]` (line 3) is not honoured: `evaluate` divides into folds",
            "`MaxSize = 9` in `[Beam]` (line 10) is not honoured; `size` is 7 already",
            "the section `[Beam]` (line 7) asks for a beam search: `search=greedy` does without",
        ]
    );
}

#[test]
fn columns_get_their_roles() {
    let roles = |settings: &str,
                 given: &[(String, Role)]|
     -> kinwood_workbench::Result<(Vec<Role>, Vec<String>)> {
        let (_folder, run) = run(settings);
        let run = run?;
        let data = open(&run.data, &Opening::default())?;
        let data = run.restate(&data, given)?;
        let (problem, _) = data.problem(&Choices::default())?;
        let table: &Table = problem.view.table();
        let roles = table.attributes().iter().map(|attribute| attribute.role);
        Ok((roles.collect(), problem.target_names()))
    };
    use Role::{Id, Ignore, Input, Target};
    let stated = "[Data]\nFile = flowers.arff\n[Attributes]\nKey = 1\nDisable = 4\nTarget = 5-6\n";
    let (found, targets) = roles(stated, &[]).unwrap();
    // No id is guessed, and what trees do not test is left out.
    assert_eq!(found, [Id, Input, Input, Ignore, Target, Target, Ignore]);
    assert_eq!(targets, ["colour", "kind"]);
    let described = "[Data]\nFile = flowers.arff\n[Attributes]\nDescriptive = 3\nTarget = 6\n";
    let (found, _) = roles(described, &[("id".to_owned(), Input)]).unwrap();
    assert_eq!(
        found,
        [Ignore, Input, Input, Ignore, Ignore, Target, Ignore]
    );
    let outside = "[Data]\nFile = flowers.arff\n[Attributes]\nTarget = 8\n";
    let message = roles(outside, &[]).unwrap_err().to_string();
    assert!(
        message.ends_with(
            "run.s:4: `Target` cannot be `8`: expected columns from 1 to 7, such as 1-3,5"
        ),
        "{message}"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let with = |line: &str| refused(&format!("[Data]\nFile = flowers.arff\n{line}\n"));
    assert_eq!(
        with("[Tree]\nHeuristic = GainRato"),
        "run.s:4: `Heuristic` cannot be `GainRato`: expected one of Default, ReducedError, Gain, GainRatio, SSPD, \
         VarianceReduction, MEstimate, Morishita, DispersionAdt, DispersionMlt, RDispersionAdt, RDispersionMlt, GeneticDistance, \
         SemiSupervised, VarianceReductionMissing, StructuredData, VarianceReductionGIS; did you mean `GainRatio`?"
    );
    assert_eq!(
        with("[Beam]\nBeamWidth = 0"),
        "run.s:4: `BeamWidth` cannot be `0`: expected a whole number from 1"
    );
    assert_eq!(
        with("[Model]\nMinimalWeight = -2"),
        "run.s:4: `MinimalWeight` cannot be `-2`: expected a number that is not negative"
    );
    assert_eq!(
        with("[Constraints]\nMaxSize = 5.5"),
        "run.s:4: `MaxSize` cannot be `5.5`: expected a whole number or Infinity"
    );
    assert_eq!(
        refused("[Attributes]\nTarget = 1\n"),
        "`run.s` names no data: CLUS settings do so by `File = …` in the section `[Data]`"
    );
}
