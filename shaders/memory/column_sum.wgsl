// column_sum: first stage of a sum over rows: each line of `partial` covers CHUNK rows.
//
//   partial[k * WIDTH + c] = sum of source[r * WIDTH + c] for r in chunk k
//
// Dispatch   one invocation per column and chunk.
// Numerics   rows of a chunk are added in order.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, CHUNK};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn column_sum(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let column = i % WIDTH;
  let first = i / WIDTH * CHUNK;
  if (first >= ROWS) { return; }
  var sum = 0.0;
  for (var row = first; row < min(first + CHUNK, ROWS); row++) {
    sum += source[row * WIDTH + column];
  }
  partial[i] = sum;
}
