"""Modules that decode logs into events with the help of the contracts' ABIs."""
