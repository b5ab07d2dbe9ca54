"""Curves: what can be made of an effect's values once they are there. Arithmetic on arrays; the model isn't asked."""
