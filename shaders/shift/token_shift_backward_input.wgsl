// token_shift_backward_input: gradient of token_shift_forward with respect to its input.
//
//   dx[i] (+)= m dy[i] + (1 - m) dy[i+1]      dy beyond the sequence is 0
//
// Layout     gradient, input_gradient [ROWS][WIDTH]; blend [WIDTH]: m.
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> blend: array<f32>;
@group(0) @binding(2) var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn token_shift_backward_input(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let m = blend[i % WIDTH];
  var following = 0.0;
  if (i / WIDTH % SEQUENCE + 1u < SEQUENCE) { following = gradient[i + WIDTH]; }
  var value = m * gradient[i] + (1.0 - m) * following;
  @if(ACCUMULATE) value += input_gradient[i];
  input_gradient[i] = value;
}
