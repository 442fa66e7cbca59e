// expert_load: the share of all events that each expert gets.
//
// Layout     experts [ACTIVE][ROWS]; load [EXPERTS].
// Dispatch   one row per expert; LANES invocations share the events (lib/rows).
// Numerics   counts are exact up to 2^24 events.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::rows::{lane_of, row_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, ACTIVE, EXPERTS};
@if(SUBGROUPS) enable subgroups;

var<storage, read_write> experts: array<u32>;
var<storage, read_write> load: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn expert_load(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let expert = row_of(group, groups, local);
  let lane = lane_of(local);
  if (expert >= EXPERTS) { return; }
  var count = 0.0;
  for (var event = lane; event < ACTIVE * ROWS; event += LANES) {
    if (experts[event] == expert) { count += 1.0; }
  }
  let total = row_sum(count, lane);
  if (lane == 0u) { load[expert] = total / f32(ACTIVE * ROWS); }
}
