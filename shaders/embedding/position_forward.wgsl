// position_forward: adds the learned vector of each token's place in its sequence.
//
//   output[r, c] = input[r, c] + table[r % SEQUENCE, c]
//
// Layout     input, output [ROWS][WIDTH]; table [SEQUENCE][WIDTH].
// Dispatch   one invocation per element.
// Numerics   one rounding.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> table: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn position_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i < ROWS * WIDTH) { output[i] = input[i] + table[i % (SEQUENCE * WIDTH)]; }
}
