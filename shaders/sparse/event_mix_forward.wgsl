// event_mix_forward: adds the gated spikes of the experts that read a token to its stream.
//
//   output = stream + FACTOR sum_k gate_k mask_k s_k
//
// Layout     stream, output [ROWS][WIDTH]; spikes and mask bits [ACTIVE][ROWS][WORDS]; gates [ACTIVE][ROWS].
// Dispatch   one invocation per element of the stream.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, ACTIVE, WIDTH, WORDS, FACTOR};

@group(0) @binding(0) var<storage, read_write> stream: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(2) var<storage, read_write> gates: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;
@if(MASK) @group(0) @binding(4) var<storage, read_write> mask: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn event_mix_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let neuron = i % WIDTH;
  var sum = stream[i];
  for (var event = i / WIDTH; event < ACTIVE * ROWS; event += ROWS) {
    let place = event * WORDS + neuron / 32u;
    @if(MASK) let word = spikes[place] & mask[place];
    @else let word = spikes[place];
    if (((word >> (neuron % 32u)) & 1u) == 1u) { sum += FACTOR * gates[event]; }
  }
  output[i] = sum;
}
