// mean_loss: the mean of the rows' losses, into the history slot that the clock names.
//
//   history[clock.slot % SLOTS] = sum_r losses[r] / ROWS
//
// Layout     losses [ROWS]; clock u32 [4]: step, slot, seed low, seed high; history [SLOTS].
// Dispatch   one workgroup; LANES invocations share the row (lib/rows).
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::rows::{lane_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, SLOTS};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> losses: array<f32>;
@group(0) @binding(1) var<storage, read_write> clock: array<u32>;
@group(0) @binding(2) var<storage, read_write> history: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn mean_loss(@builtin(local_invocation_index) local: u32) {
  let lane = lane_of(local);
  var sum = 0.0;
  for (var row = lane; row < ROWS; row += LANES) { sum += losses[row]; }
  let total = row_sum(sum, lane);
  if (lane == 0u) { history[clock[1] % SLOTS] = total / ROWS; }
}
