// mean_steps_forward: the mean over time steps.
//
//   destination[i] = sum_t source[t * COUNT + i] / STEPS
//
// Dispatch   one invocation per element of one step.
// Numerics   steps are added in order.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, STEPS};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn mean_steps_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  var total = 0.0;
  for (var t = 0u; t < STEPS; t++) { total += source[t * COUNT + i]; }
  destination[i] = total / STEPS;
}
