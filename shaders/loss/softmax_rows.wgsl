// softmax_rows: the probabilities that a row of logits stands for at a temperature.
//
//   output = exp(z / T) / sum over the row of exp(z / T)
//
// Layout     logits, output [ROWS][WIDTH].
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   shifted by the largest logit; 1e-6 relative.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum, row_max};
import constants::{WORKGROUP, LANES, ROWS, WIDTH, TEMPERATURE};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

const LOWEST = -3.4e38;

@compute @workgroup_size(WORKGROUP)
fn softmax_rows(
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
  for (var c = lane; c < WIDTH; c += LANES) {
    let power = exp((logits[base + c] - largest) / TEMPERATURE);
    output[base + c] = power;
    sum += power;
  }
  let scale = 1.0 / row_sum(sum, lane);
  for (var c = lane; c < WIDTH; c += LANES) { output[base + c] *= scale; }
}
