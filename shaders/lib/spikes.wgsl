// spikes: single bits of packed spikes [STEPS][ROWS][WORDS].

import constants::{ROWS, WORDS};

@group(0) @binding(0) var<storage, read_write> spikes: array<u32>;

fn fires(step: u32, row: u32, neuron: u32) -> bool {
  return ((spikes[(step * ROWS + row) * WORDS + neuron / 32u] >> (neuron % 32u)) & 1u) == 1u;
}
