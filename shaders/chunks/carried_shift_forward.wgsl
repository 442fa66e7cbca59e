// carried_shift_forward: what token_shift_forward leaves out at the first token of each sequence, where
// the token before it is known.
//
//   y[0] += (1 - m) previous
//
// Layout     previous [ROWS][WIDTH]; blend [WIDTH]: m; output [ROWS][SEQUENCE][WIDTH].
// Dispatch   one invocation per element of a sequence's first token.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> previous: array<f32>;
@group(0) @binding(1) var<storage, read_write> blend: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn carried_shift_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let c = i % WIDTH;
  output[i / WIDTH * SEQUENCE * WIDTH + c] += (1.0 - blend[c]) * previous[i];
}
