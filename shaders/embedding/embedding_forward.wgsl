// embedding_forward: copy the table's row of each token.
//
//   output[r, c] = table[ids[r], c]
//
// Dispatch   one invocation per element. An id outside the table reads the last row.
// Numerics   exact.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, VOCABULARY};

@group(0) @binding(0) var<storage, read_write> ids: array<u32>;
@group(0) @binding(1) var<storage, read_write> table: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn embedding_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let token = min(ids[i / WIDTH], VOCABULARY - 1u);
  output[i] = table[token * WIDTH + i % WIDTH];
}
