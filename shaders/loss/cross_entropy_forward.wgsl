// cross_entropy_forward: negative log-likelihood of each row's target, in nats.
//
//   scale = log sum_c exp(logits[c])      losses = weight (scale - logits[target])
//
// Layout     logits [ROWS][WIDTH]; targets u32 [ROWS]; losses, scale, weights [ROWS] (WEIGHTS; else 1).
// Dispatch   LANES invocations per row (lib/rows). A target outside the row counts as the last.
// Numerics   shifted by the largest logit; 1e-6 relative.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum, row_max};
import constants::{WORKGROUP, LANES, ROWS, WIDTH};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> targets: array<u32>;
@group(0) @binding(2) var<storage, read_write> losses: array<f32>;
@group(0) @binding(3) var<storage, read_write> scale: array<f32>;
@if(WEIGHTS) @group(0) @binding(4) var<storage, read_write> weights: array<f32>;

const LOWEST = -3.4e38;

@compute @workgroup_size(WORKGROUP)
fn cross_entropy_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;

  var largest = LOWEST;
  for (var c = lane; c < WIDTH; c += LANES) { largest = max(largest, logits[base + c]); }
  largest = row_max(largest, lane);
  var sum = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) { sum += exp(logits[base + c] - largest); }
  let total = largest + log(row_sum(sum, lane));

  if (lane == 0u) {
    scale[row] = total;
    var loss = total - logits[base + min(targets[row], WIDTH - 1u)];
    @if(WEIGHTS) loss *= weights[row];
    losses[row] = loss;
  }
}
