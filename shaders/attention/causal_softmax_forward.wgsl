// causal_softmax_forward: scores to weights in place, each token among itself and those before it.
//
//   w[r, j] = exp(s[r, j] - m) / sum_k exp(s[r, k] - m)   for j, k <= r % WIDTH, else 0
//
// Layout     weights [ROWS][WIDTH]; row r belongs to token r % WIDTH of a sequence of WIDTH tokens.
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   shifted by the largest score m; 1e-6 relative.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum, row_max};
import constants::{WORKGROUP, LANES, ROWS, WIDTH};
@if(SUBGROUPS) enable subgroups;

var<storage, read_write> weights: array<f32>;

const LOWEST = -3.4e38;

@compute @workgroup_size(WORKGROUP)
fn causal_softmax_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;
  let end = row % WIDTH + 1u;

  var largest = LOWEST;
  for (var j = lane; j < end; j += LANES) { largest = max(largest, weights[base + j]); }
  largest = row_max(largest, lane);
  var sum = 0.0;
  for (var j = lane; j < end; j += LANES) {
    let power = exp(weights[base + j] - largest);
    weights[base + j] = power;
    sum += power;
  }
  let scale = 1.0 / row_sum(sum, lane);
  for (var j = lane; j < WIDTH; j += LANES) {
    weights[base + j] = select(0.0, weights[base + j] * scale, j < end);
  }
}
