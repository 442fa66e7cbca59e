// token_shift_forward: mix each token with the one before it.
//
//   y[i] = m x[i] + (1 - m) x[i-1]      x[-1] = 0 at the start of a sequence
//
// Layout     input, output [ROWS][WIDTH], rows run through the sequences; blend [WIDTH]: m.
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> blend: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn token_shift_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let m = blend[i % WIDTH];
  var previous = 0.0;
  if (i / WIDTH % SEQUENCE > 0u) { previous = input[i - WIDTH]; }
  output[i] = m * input[i] + (1.0 - m) * previous;
}
