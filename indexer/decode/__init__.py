"""The decoding of logs into events, by the contracts' ABIs."""
