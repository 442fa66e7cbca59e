// bcm_threshold: the threshold of the BCM rule slides with the square of the activity.
//
//   theta += (y^2 / SETPOINT - theta) RATE
//
// Layout     activity y, threshold theta [COUNT].
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, SETPOINT, RATE};

@group(0) @binding(0) var<storage, read_write> activity: array<f32>;
@group(0) @binding(1) var<storage, read_write> threshold: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn bcm_threshold(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let j = element(id, groups);
  if (j >= COUNT) { return; }
  let y = activity[j];
  threshold[j] += (y * y / SETPOINT - threshold[j]) * RATE;
}
