"""Many games at once, for learning and search (`regelwerk.interpreter.batch`)."""

from regelwerk.interpreter.batch import STAY, Batch, Batches, NotAnAction, Parameter, Place, Rollouts, Setup, Way

__all__ = ["STAY", "Batch", "Batches", "NotAnAction", "Parameter", "Place", "Rollouts", "Setup", "Way"]
