// delay_features: each feature comes out as many steps later as its delay says, across plays.
//
//   output[t] = input[t - delay]; what lies before this play is in `past`
//
// Layout     input, output [STEPS][ROWS][WIDTH]; delays [WIDTH], at most DEPTH; past [DEPTH][ROWS][WIDTH],
//            the oldest step first.
// Dispatch   one invocation per element of a step.
// Numerics   exact: values are moved.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, DEPTH};

var<storage, read_write> input: array<f32>;
var<storage, read_write> delays: array<u32>;
var<storage, read_write> past: array<f32>;
var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn delay_features(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let count = u32(ROWS) * WIDTH;
  if (i >= count) { return; }
  let delay = delays[i % WIDTH];
  for (var t = 0u; t < STEPS; t++) {
    if (t >= delay) { output[t * count + i] = input[(t - delay) * count + i]; }
    else { output[t * count + i] = past[(t + DEPTH - delay) * count + i]; }
  }
  // Overwritten entries are older than those that are read next.
  for (var k = 0u; k < DEPTH; k++) {
    let after = k + STEPS;
    if (after >= DEPTH) { past[k * count + i] = input[(after - DEPTH) * count + i]; }
    else { past[k * count + i] = past[after * count + i]; }
  }
}
