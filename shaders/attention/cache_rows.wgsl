// cache_rows: puts the keys and values of tokens into the places of their sequences.
//
//   cache[cells[r], c] = source[r, OFFSET + c]
//
// Layout     source [ROWS][STRIDE]; cells u32 [ROWS], none twice but those that nobody reads;
//            cache [cells][WIDTH].
// Dispatch   one invocation per element.
// Numerics   copies.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, STRIDE, OFFSET};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> cells: array<u32>;
@group(0) @binding(2) var<storage, read_write> cache: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn cache_rows(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let row = i / WIDTH;
  let c = i % WIDTH;
  cache[cells[row] * WIDTH + c] = source[row * STRIDE + OFFSET + c];
}
