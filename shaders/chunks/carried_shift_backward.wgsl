// carried_shift_backward: what carried_shift_forward adds to the gradient of the mix, by sequence.
//
//   change = -previous dy[0]
//
// Layout     previous, change [ROWS][WIDTH]; gradient [ROWS][SEQUENCE][WIDTH].
// Dispatch   one invocation per element of a sequence's first token.
// Numerics   exact but for one rounding.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> previous: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(2) var<storage, read_write> change: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn carried_shift_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  change[i] = -previous[i] * gradient[i / WIDTH * SEQUENCE * WIDTH + i % WIDTH];
}
