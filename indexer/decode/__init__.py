"""Modules that decode logs into events. They use the contracts' ABIs."""
