// causal_softmax_backward: gradient of the weights to gradient of the scores, in place.
//
//   ds[r, j] = w[r, j] (g[r, j] - sum_k w[r, k] g[r, k])   for j, k <= r % WIDTH, else 0
//
// Layout     weights, score_gradient [ROWS][WIDTH], as in causal_softmax_forward.
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, WIDTH};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> weights: array<f32>;
@group(0) @binding(1) var<storage, read_write> score_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn causal_softmax_backward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;
  let end = row % WIDTH + 1u;

  var sum = 0.0;
  for (var j = lane; j < end; j += LANES) { sum += weights[base + j] * score_gradient[base + j]; }
  let mean = row_sum(sum, lane);
  for (var j = lane; j < WIDTH; j += LANES) {
    let value = weights[base + j] * (score_gradient[base + j] - mean);
    score_gradient[base + j] = select(0.0, value, j < end);
  }
}
