//! How alike things are: scores, laws, distances, pairs, neighbours.
