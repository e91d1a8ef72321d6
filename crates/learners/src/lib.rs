//! What can be learned: the registry of learners and their models.
