// running_mean_backward: gradient of the input of running_mean_forward; from rest.
//
// Layout     gradient, inputGradient [ROWS][WIDTH]; rates [ROWS].
// Dispatch   one invocation per sequence and column.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> rates: array<f32>;
@group(0) @binding(2) var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn running_mean_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS / SEQUENCE * WIDTH) { return; }
  let column = i % WIDTH;
  var later = 0.0;
  var kept = 0.0;
  for (var token = u32(SEQUENCE); token > 0u; token--) {
    let row = i / WIDTH * SEQUENCE + token - 1u;
    later = gradient[row * WIDTH + column] + kept * later;
    input_gradient[row * WIDTH + column] = rates[row] * later;
    kept = 1.0 - rates[row];
  }
}
