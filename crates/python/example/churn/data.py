"""The data: customers and their orders, drawn so that customers with few and small orders leave."""

from __future__ import annotations

import numpy as np

import kinwood


def shop(customers: int, seed: int) -> kinwood.Database:
    """A database of customers, each with some orders."""
    draw = np.random.default_rng(seed)
    names = [f"c{number}" for number in range(customers)]
    orders = draw.integers(1, 8, customers)
    owner = np.repeat(np.arange(customers), orders)
    amounts = draw.gamma(2.0, 20.0, len(owner)).round(2)
    spent = np.bincount(owner, weights=amounts, minlength=customers)
    return kinwood.Database(
        {
            "customer": {
                "id": names,
                "region": draw.choice(["north", "south"], customers),
                "stays": np.where(spent + draw.normal(0, 20, customers) > 150, "yes", "no"),
            },
            "order": {"customer_id": [names[place] for place in owner], "amount": amounts},
        },
        target="customer.stays",
        primary={"customer": "id"},
        keys={"order.customer_id": "customer.id"},
    )
