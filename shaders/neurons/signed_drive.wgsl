// signed_drive: the currents of two neurons for each feature, which stand for it and for its opposite.
//
//   drive[r, c] = input[r, c] / range[c] + OFFSET      drive[r, WIDTH + c] = -input[r, c] / range[c] + OFFSET
//
// Layout     input [ROWS][WIDTH]; range [WIDTH]; drive [ROWS][2 WIDTH].
// Dispatch   one invocation per feature of the input.
// Numerics   two roundings.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, OFFSET};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> range: array<f32>;
@group(0) @binding(2) var<storage, read_write> drive: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn signed_drive(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let c = i % WIDTH;
  let to = i / WIDTH * 2u * WIDTH + c;
  let share = input[i] / range[c];
  drive[to] = share + OFFSET;
  drive[to + WIDTH] = OFFSET - share;
}
