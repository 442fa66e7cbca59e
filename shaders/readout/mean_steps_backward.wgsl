// mean_steps_backward: hand the gradient of a mean back to every step, or add it there.
//
//   destination[t * COUNT + i] (+)= gradient[i] / STEPS
//
// Dispatch   one invocation per element of all steps.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, STEPS};

@group(0) @binding(0) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn mean_steps_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT * STEPS) { return; }
  var value = gradient[i % COUNT] / STEPS;
  @if(ACCUMULATE) value += destination[i];
  destination[i] = value;
}
