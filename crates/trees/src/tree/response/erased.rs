//! Any response behind one type.
//!
//! Growers are compiled for each type of response. Those that are rare, or whose time goes into
//! their own sums anyway, share the code of this one: the loops over examples (`sum`, `cut`,
//! `groups`) stay those of the response inside.

use std::any::Any;

use super::answer::{Answer, Answers};
use super::{Cut, Examples, Grouping, Halved, Ordered, Ranked, RankedCut, Response};

/// A response of any type.
pub struct Erased(Box<dyn Object>);

impl Erased {
    /// Hides the type of a response.
    pub fn new<R>(response: R) -> Self
    where
        R: Response + 'static,
        R::Local: 'static,
        R::Summary: 'static,
    {
        Self(Box::new(response))
    }
}

/// The responses of a region's rows.
pub struct Local(Box<dyn Any + Send + Sync>);

/// Sums over examples.
pub struct Summary(Box<dyn SummaryObject>);

impl Clone for Summary {
    fn clone(&self) -> Self {
        Self(self.0.boxed())
    }
}

trait SummaryObject: Send + Sync {
    fn boxed(&self) -> Box<dyn SummaryObject>;
    fn any(&self) -> &dyn Any;
    fn any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Clone + Send + Sync + 'static> SummaryObject for S {
    fn boxed(&self) -> Box<dyn SummaryObject> {
        Box::new(self.clone())
    }

    fn any(&self) -> &dyn Any {
        self
    }

    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// [`Response`] without associated types.
trait Object: Send + Sync {
    fn gather(&self, rows: &[u32]) -> Local;
    fn empty(&self) -> Summary;
    fn add(&self, summary: &mut Summary, local: &Local, place: usize, weight: f64);
    fn remove(&self, summary: &mut Summary, local: &Local, place: usize, weight: f64);
    fn sum(&self, local: &Local, examples: usize, weights: Option<&[f64]>) -> Summary;
    fn join(&self, summary: &mut Summary, other: &Summary, times: f64);
    fn weight(&self, summary: &Summary) -> f64;
    fn rows(&self, summary: &Summary) -> f64;
    fn row_share(&self, local: &Local, place: usize) -> f64;
    fn spread(&self, summary: &Summary) -> f64;
    fn answers(&self, examples: &Examples<'_, Summary>) -> Vec<Answer>;
    fn dividing(&self, summary: &Summary) -> Summary;
    fn is_pure(&self, summary: &Summary) -> bool;
    fn determined(&self, summary: &Summary) -> f64;
    fn spread_behind(&self, answers: &Answers) -> f64;
    fn level(&self, summary: &Summary, whole: &Summary) -> f64;
    fn groups(&self, examples: &Examples<'_, Summary>, most: usize) -> Grouping;
    fn slack(&self) -> f64;
    fn cut_by_counting(
        &self,
        numbers: &Ranked<'_>,
        local: &Local,
        whole: &Summary,
        least: f64,
    ) -> Option<Option<RankedCut>>;
    fn halved(&self, second: &[u8], local: &Local, whole: &Summary) -> Option<Halved>;
    fn cut(&self, list: &Ordered<'_, Local>, whole: &Summary, least: f64) -> Option<Cut>;
}

/// What every summary and every region's responses of an [`Erased`] are.
const OWN: &str = "a response is given what it made";

fn of<R: Response<Summary: 'static>>(summary: &Summary) -> &R::Summary {
    summary.0.as_ref().any().downcast_ref().expect(OWN)
}

fn of_mut<R: Response<Summary: 'static>>(summary: &mut Summary) -> &mut R::Summary {
    summary.0.as_mut().any_mut().downcast_mut().expect(OWN)
}

fn local_of<R: Response<Local: 'static>>(local: &Local) -> &R::Local {
    local.0.downcast_ref().expect(OWN)
}

fn examples_of<'a, R: Response<Summary: 'static>>(
    examples: &Examples<'a, Summary>,
) -> Examples<'a, R::Summary> {
    Examples {
        rows: examples.rows,
        weights: examples.weights,
        whole: of::<R>(examples.whole),
    }
}

impl<R: Response<Local: 'static, Summary: 'static>> Object for R {
    fn gather(&self, rows: &[u32]) -> Local {
        Local(Box::new(Response::gather(self, rows)))
    }

    fn empty(&self) -> Summary {
        Summary(Box::new(Response::empty(self)))
    }

    fn add(&self, summary: &mut Summary, local: &Local, place: usize, weight: f64) {
        Response::add(
            self,
            of_mut::<R>(summary),
            local_of::<R>(local),
            place,
            weight,
        );
    }

    fn remove(&self, summary: &mut Summary, local: &Local, place: usize, weight: f64) {
        Response::remove(
            self,
            of_mut::<R>(summary),
            local_of::<R>(local),
            place,
            weight,
        );
    }

    fn sum(&self, local: &Local, examples: usize, weights: Option<&[f64]>) -> Summary {
        let sum = Response::sum(self, local_of::<R>(local), examples, weights);
        Summary(Box::new(sum))
    }

    fn join(&self, summary: &mut Summary, other: &Summary, times: f64) {
        Response::join(self, of_mut::<R>(summary), of::<R>(other), times);
    }

    fn weight(&self, summary: &Summary) -> f64 {
        Response::weight(self, of::<R>(summary))
    }

    fn rows(&self, summary: &Summary) -> f64 {
        Response::rows(self, of::<R>(summary))
    }

    fn row_share(&self, local: &Local, place: usize) -> f64 {
        Response::row_share(self, local_of::<R>(local), place)
    }

    fn spread(&self, summary: &Summary) -> f64 {
        Response::spread(self, of::<R>(summary))
    }

    fn answers(&self, examples: &Examples<'_, Summary>) -> Vec<Answer> {
        Response::answers(self, &examples_of::<R>(examples))
    }

    fn dividing(&self, summary: &Summary) -> Summary {
        Summary(Box::new(Response::dividing(self, of::<R>(summary))))
    }

    fn is_pure(&self, summary: &Summary) -> bool {
        Response::is_pure(self, of::<R>(summary))
    }

    fn determined(&self, summary: &Summary) -> f64 {
        Response::determined(self, of::<R>(summary))
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        Response::spread_behind(self, answers)
    }

    fn level(&self, summary: &Summary, whole: &Summary) -> f64 {
        Response::level(self, of::<R>(summary), of::<R>(whole))
    }

    fn groups(&self, examples: &Examples<'_, Summary>, most: usize) -> Grouping {
        Response::groups(self, &examples_of::<R>(examples), most)
    }

    fn slack(&self) -> f64 {
        Response::slack(self)
    }

    fn cut_by_counting(
        &self,
        numbers: &Ranked<'_>,
        local: &Local,
        whole: &Summary,
        least: f64,
    ) -> Option<Option<RankedCut>> {
        let (local, whole) = (local_of::<R>(local), of::<R>(whole));
        Response::cut_by_counting(self, numbers, local, whole, least)
    }

    fn halved(&self, second: &[u8], local: &Local, whole: &Summary) -> Option<Halved> {
        Response::halved(self, second, local_of::<R>(local), of::<R>(whole))
    }

    fn cut(&self, list: &Ordered<'_, Local>, whole: &Summary, least: f64) -> Option<Cut> {
        let list = Ordered {
            entries: list.entries,
            local: local_of::<R>(list.local),
            weights: list.weights,
        };
        Response::cut(self, &list, of::<R>(whole), least)
    }
}

impl Response for Erased {
    type Local = Local;
    type Summary = Summary;

    fn gather(&self, rows: &[u32]) -> Local {
        self.0.gather(rows)
    }

    fn empty(&self) -> Summary {
        self.0.empty()
    }

    fn add(&self, summary: &mut Summary, local: &Local, place: usize, weight: f64) {
        self.0.add(summary, local, place, weight);
    }

    fn remove(&self, summary: &mut Summary, local: &Local, place: usize, weight: f64) {
        self.0.remove(summary, local, place, weight);
    }

    fn sum(&self, local: &Local, examples: usize, weights: Option<&[f64]>) -> Summary {
        self.0.sum(local, examples, weights)
    }

    fn join(&self, summary: &mut Summary, other: &Summary, times: f64) {
        self.0.join(summary, other, times);
    }

    fn weight(&self, summary: &Summary) -> f64 {
        self.0.weight(summary)
    }

    fn rows(&self, summary: &Summary) -> f64 {
        self.0.rows(summary)
    }

    fn row_share(&self, local: &Local, place: usize) -> f64 {
        self.0.row_share(local, place)
    }

    fn spread(&self, summary: &Summary) -> f64 {
        self.0.spread(summary)
    }

    fn answers(&self, examples: &Examples<'_, Summary>) -> Vec<Answer> {
        self.0.answers(examples)
    }

    fn dividing(&self, summary: &Summary) -> Summary {
        self.0.dividing(summary)
    }

    fn is_pure(&self, summary: &Summary) -> bool {
        self.0.is_pure(summary)
    }

    fn determined(&self, summary: &Summary) -> f64 {
        self.0.determined(summary)
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        self.0.spread_behind(answers)
    }

    fn level(&self, summary: &Summary, whole: &Summary) -> f64 {
        self.0.level(summary, whole)
    }

    fn groups(&self, examples: &Examples<'_, Summary>, most: usize) -> Grouping {
        self.0.groups(examples, most)
    }

    fn slack(&self) -> f64 {
        self.0.slack()
    }

    fn cut_by_counting(
        &self,
        numbers: &Ranked<'_>,
        local: &Local,
        whole: &Summary,
        least: f64,
    ) -> Option<Option<RankedCut>> {
        self.0.cut_by_counting(numbers, local, whole, least)
    }

    fn halved(&self, second: &[u8], local: &Local, whole: &Summary) -> Option<Halved> {
        self.0.halved(second, local, whole)
    }

    fn cut(&self, list: &Ordered<'_, Local>, whole: &Summary, least: f64) -> Option<Cut> {
        self.0.cut(list, whole, least)
    }
}
