// embedding_backward: add the gradient of every row to its token's row of the table.
//
//   table_gradient[v, c] += sum of gradient[r, c] over rows r with ids[r] = v
//
// Dispatch   one invocation per element; the first row of each chain does the chain's work.
// Numerics   rows of a token are added in order.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, VOCABULARY};

const CONTINUES = 0x80000000u;

var<storage, read_write> ids: array<u32>;
var<storage, read_write> chain: array<u32>;
var<storage, read_write> gradient: array<f32>;
var<storage, read_write> table_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn embedding_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let first = i / WIDTH;
  let column = i % WIDTH;
  let token = ids[first];
  if ((chain[first] & CONTINUES) != 0u || token >= VOCABULARY) { return; }
  var sum = 0.0;
  for (var row = first; row < ROWS; row = chain[row] & ~CONTINUES) {
    sum += gradient[row * WIDTH + column];
  }
  table_gradient[token * WIDTH + column] += sum;
}
