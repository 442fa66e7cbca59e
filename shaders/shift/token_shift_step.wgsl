// token_shift_step: token_shift_forward one token at a time; the last input is carried along.
//
//   y = m x + (1 - m) previous      previous = x
//
// Layout     input, previous, output [rows][WIDTH], COUNT elements; blend [WIDTH]: m.
// Dispatch   one invocation per element.
// Numerics   as token_shift_forward.
// Reference  engine/backends/reference/shift-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, WIDTH};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> blend: array<f32>;
@group(0) @binding(2) var<storage, read_write> previous: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn token_shift_step(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let m = blend[i % WIDTH];
  let x = input[i];
  output[i] = m * x + (1.0 - m) * previous[i];
  previous[i] = x;
}
