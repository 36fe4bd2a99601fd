"""Exact answers for bodies with flat faces, and proofs of answers that anyone can check."""

from ._clearance import certify, certify_cast, certify_within
from ._clearance import exact_contact as contact
from ._clearance import exact_distance as distance

__all__ = ["certify", "certify_cast", "certify_within", "contact", "distance"]
