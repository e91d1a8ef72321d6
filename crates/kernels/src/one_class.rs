//! The region of one class, learned from its rows alone: what is outside is another class.
//!
//! A prediction is one of two classes, as its type wants it. Where the target has more classes, the
//! most frequent of the others stands for all that is outside; where it has no other, one of the
//! name `other` is added.

use kinwood_machines::solve::{Limits, one_class};
use kinwood_machines::spectrum::Correction;

use super::asked::Opened;
use super::class_weights::named;
use super::expansion::{Expansion, Function};
use super::model::{Classifier, Kind};
use super::objects::Objects;
use super::report::{Fitted, Report};
use super::space::{Space, failed};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::{Target, Task};

/// What the settings say of the region.
pub struct OneClass<'a> {
    /// The learner, for messages.
    pub learner: &'static str,
    /// The share of the rows that may be outside.
    pub nu: f64,
    /// The class; `None` for the most frequent one.
    pub class: Option<&'a str>,
    /// What is done about negative eigenvalues.
    pub correction: Correction,
    /// How exactly and how fast it is solved.
    pub limits: &'a Limits<'a>,
}

/// The region of a class.
pub fn enclose(
    machine: &OneClass<'_>,
    task: &Task,
    target: &Target,
    opened: Opened,
    context: &Context,
) -> Result<Classifier> {
    let all = Objects::equal(task, machine.learner, "form=one_class")?;
    let class_of = |row: u32| target.class(row as usize).unwrap_or(0);
    let mut counts = vec![0usize; target.classes().map_or(0, |classes| classes.len())];
    all.rows
        .iter()
        .for_each(|&row| counts[class_of(row) as usize] += 1);
    // The most frequent, the first of equals.
    let frequent = |but: Option<u32>| {
        let classes = (0..counts.len() as u32)
            .rev()
            .filter(|&class| Some(class) != but);
        classes.max_by_key(|&class| counts[class as usize])
    };
    let class = match machine.class {
        Some(label) => named(target, "class", label)?,
        None => frequent(None).unwrap_or(0),
    };
    let members: Vec<usize> = (0..all.len())
        .filter(|&object| class_of(all.rows[object]) == class)
        .collect();
    if members.is_empty() {
        return Err(Error::SettingValue {
            name: "class".to_owned(),
            value: machine.class.unwrap_or_default().to_owned(),
            expected: format!("a class of `{}` that training rows have", target.name()),
            nearest: None,
        });
    }
    let objects = all.only(&members);
    let sources = opened.sources(&objects)?;
    let (source, gamma) = sources[0].clone();
    let space = Space::new(&source, &opened.rows, &objects, machine.correction, context)?;
    let wrong = |error| failed(error, &objects, context);
    let solution = context
        .install(|| one_class(space.matrix(), machine.nu, machine.limits))
        .map_err(wrong)?;
    // Decisions have the size of the kernel's values: what is usual within the class is the unit.
    let mut row = vec![0.0; objects.len()];
    let sizes = (0..objects.len()).map(|object| {
        space.matrix().fill(object, &mut row);
        solution.decide(&row).abs()
    });
    let scale = sizes.sum::<f64>() / objects.len() as f64;
    let report = Report {
        form: "one_class".to_owned(),
        nu: Some(machine.nu),
        gamma,
        objects: objects.len(),
        spectrum: space.spectrum.clone(),
        machines: vec![Fitted::of_solution(&solution)],
        ..Report::default()
    };
    let (coefficients, bias) = space.fold(solution.coefficients, solution.bias);
    let functions = vec![Function { coefficients, bias }];
    let expansion = Expansion::new(source, task, opened.rows, &objects, functions)?;
    let kind = Kind::OneClass {
        class,
        other: frequent(Some(class)),
        scale: if scale > 0.0 { scale } else { 1.0 },
    };
    Ok(Classifier::new(expansion, kind, report))
}
