// rate_decode: the share of the steps in which each neuron fired.
//
//   y[n] = sum_t s[t, n] / STEPS
//
// Layout     spikes bits [STEPS][ROWS][WORDS]; output [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   spikes are counted exactly and divided once.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import package::lib::spikes::fires;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH};

@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn rate_decode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var count = 0u;
  for (var t = 0u; t < STEPS; t++) { count += u32(fires(t, i / WIDTH, i % WIDTH)); }
  output[i] = f32(count) / STEPS;
}
