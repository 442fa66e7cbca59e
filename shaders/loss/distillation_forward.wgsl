// distillation_forward: how far a row of logits is from a teacher's probabilities and from the target,
// in nats (Hinton, Vinyals & Dean 2015).
//
//   losses = (1 - BLEND) (lse(z) - z[target]) + BLEND T^2 (lse(z / T) - sum_c q[c] z[c] / T)
//
// The factor T^2 keeps the teacher's gradient as large at every temperature.
//
// Layout     logits, teacher [ROWS][WIDTH], rows of the teacher add up to 1; targets u32 [ROWS];
//            losses [ROWS]; scale [ROWS][2]: lse(z), lse(z / T).
// Dispatch   LANES invocations per row (lib/rows). A target outside the row counts as the last.
// Numerics   shifted by the largest logit; 1e-6 relative.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum, row_max};
import constants::{WORKGROUP, LANES, ROWS, WIDTH, TEMPERATURE, BLEND};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> teacher: array<f32>;
@group(0) @binding(2) var<storage, read_write> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> losses: array<f32>;
@group(0) @binding(4) var<storage, read_write> scale: array<f32>;

const LOWEST = -3.4e38;

@compute @workgroup_size(WORKGROUP)
fn distillation_forward(
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
  var hard = 0.0;
  var soft = 0.0;
  var likeness = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) {
    let z = logits[base + c] - largest;
    hard += exp(z);
    soft += exp(z / TEMPERATURE);
    likeness += teacher[base + c] * z / TEMPERATURE;
  }
  let hard_scale = log(row_sum(hard, lane));
  let soft_scale = log(row_sum(soft, lane));
  let agreement = row_sum(likeness, lane);

  if (lane == 0u) {
    let hit = logits[base + min(targets[row], WIDTH - 1u)] - largest;
    let teaching = TEMPERATURE * TEMPERATURE * (soft_scale - agreement);
    losses[row] = (1.0 - BLEND) * (hard_scale - hit) + BLEND * teaching;
    scale[2u * row] = hard_scale + largest;
    scale[2u * row + 1u] = soft_scale + largest / TEMPERATURE;
  }
}
