//! The region of one class, learned from its rows alone: what is outside is another class.
//!
//! A prediction is one of two classes, as its type wants it. Where the target has more classes, the most frequent of the others stands for
//! all that is outside; where it has no other, one of the name `other` is added.

use kinwood_machines::solve::one_class;

use super::asked::Opened;
use super::class_weights::named;
use super::expansion::{Expansion, Function};
use super::machine::{SVM, Svm};
use super::model::{Classifier, Kind};
use super::objects::Objects;
use super::report::{Fitted, Report};
use super::space::{Space, failed};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::{Target, Task};

/// The region of the class that is asked for, or of the most frequent one.
pub fn enclose(
    machine: &Svm,
    task: &Task,
    target: &Target,
    opened: Opened,
    context: &Context,
) -> Result<Classifier> {
    let all = Objects::equal(task, SVM.name, "form=one_class")?;
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
    let class = match &machine.class {
        Some(label) => named(target, "class", label)?,
        None => frequent(None).unwrap_or(0),
    };
    let members: Vec<usize> = (0..all.len())
        .filter(|&object| class_of(all.rows[object]) == class)
        .collect();
    if members.is_empty() {
        return Err(Error::SettingValue {
            name: "class".to_owned(),
            value: machine.class.clone().unwrap_or_default(),
            expected: format!("a class of `{}` that training rows have", target.name()),
            nearest: None,
        });
    }
    let objects = all.only(&members);
    let sources = opened.sources(&objects)?;
    let (source, gamma) = sources[0].clone();
    let space = Space::new(&source, &opened.rows, &objects, machine.correction, context)?;
    let stop = || context.check().is_err();
    let limits = machine.limits(context, &stop);
    let wrong = |error| failed(error, &objects, context);
    let solution = context
        .install(|| one_class(space.matrix(), machine.nu, &limits))
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
