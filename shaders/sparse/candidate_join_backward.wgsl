// candidate_join_backward: the gradient of candidate_join_forward taken apart again.
//
// Layout     gradient [ROWS][DRAWN + 1]; codes, queryGradient [ROWS][RANK]; scoreGradient [ROWS][DRAWN].
// Dispatch   one invocation per element of both gradients.
// Numerics   1e-6 relative.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, DRAWN, RANK};

var<storage, read_write> gradient: array<f32>;
var<storage, read_write> codes: array<f32>;
var<storage, read_write> score_gradient: array<f32>;
var<storage, read_write> query_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn candidate_join_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * (DRAWN + RANK)) { return; }
  let row = i / (DRAWN + RANK);
  let column = i % (DRAWN + RANK);
  let begin = row * (DRAWN + 1u);
  if (column < DRAWN) {
    score_gradient[row * DRAWN + column] = gradient[begin + column + 1u];
    return;
  }
  let place = row * RANK + column - DRAWN;
  let own = gradient[begin] * codes[place];
  @if(ACCUMULATE) query_gradient[place] += own;
  @else query_gradient[place] = own;
}
