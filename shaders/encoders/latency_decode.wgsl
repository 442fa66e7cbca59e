// latency_decode: the number that stands for the step of the first spike, zero where there is none.
//
//   y[n] = values[min {t : s[t, n] = 1}]
//
// Layout     spikes bits [STEPS][ROWS][WORDS]; values [STEPS]; output [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   exact.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import package::lib::spikes::fires;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH};

@group(0) @binding(1) var<storage, read_write> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn latency_decode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var value = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    if (fires(t, i / WIDTH, i % WIDTH)) { value = values[t]; break; }
  }
  output[i] = value;
}
