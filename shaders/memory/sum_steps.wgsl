// sum_steps: the sum over time steps, or added to what is there.
//
//   destination[i] (+)= sum_t source[t * COUNT + i]
//
// Dispatch   one invocation per element of one step.
// Numerics   steps are added in order.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, STEPS};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn sum_steps(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  var total = 0.0;
  for (var t = 0u; t < STEPS; t++) { total += source[t * COUNT + i]; }
  @if(ACCUMULATE) total += destination[i];
  destination[i] = total;
}
