// token_chain: link the rows that hold the same token, so that embedding_backward needs no atomics.
//
//   chain[r] = the next row with the token of row r, or ROWS when there is none;
//              the top bit is set when an earlier row holds the token too
//
// Dispatch   one invocation per row; the search stops at the first hit.
// Numerics   exact.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS};

const CONTINUES = 0x80000000u;

var<storage, read_write> ids: array<u32>;
var<storage, read_write> chain: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn token_chain(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let row = element(id, groups);
  if (row >= ROWS) { return; }
  let token = ids[row];
  var next = row + 1u;
  while (next < ROWS && ids[next] != token) { next++; }
  var before = row;
  while (before > 0u && ids[before - 1u] != token) { before--; }
  chain[row] = next | select(0u, CONTINUES, before > 0u);
}
