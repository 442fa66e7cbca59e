// last_tokens: the last token of each sequence.
//
// Layout     source [ROWS][SEQUENCE][WIDTH]; last [ROWS][WIDTH].
// Dispatch   one invocation per element of a sequence's last token.
// Numerics   exact.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> last: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn last_tokens(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  last[i] = source[((i / WIDTH + 1u) * SEQUENCE - 1u) * WIDTH + i % WIDTH];
}
