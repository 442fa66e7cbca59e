// reduce_rows: the column sums of a few rows of partial sums, or added to what is there.
//
//   total[c] (+)= sum_r partial[r * WIDTH + c]
//
// Dispatch   one invocation per column.
// Numerics   rows are added in order.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH};

@group(0) @binding(0) var<storage, read_write> partial: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn reduce_rows(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let column = element(id, groups);
  if (column >= WIDTH) { return; }
  var sum = 0.0;
  for (var row = 0u; row < ROWS; row++) { sum += partial[row * WIDTH + column]; }
  @if(ACCUMULATE) sum += total[column];
  total[column] = sum;
}
