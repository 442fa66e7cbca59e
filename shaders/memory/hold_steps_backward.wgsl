// hold_steps_backward: the sum over the time steps that each step became.
//
//   source_gradient[t] (+)= sum over k below HOLD of gradient[t HOLD + k]
//
// Layout     gradient [STEPS HOLD][COUNT]; source_gradient [STEPS][COUNT].
// Dispatch   one invocation per element of `source_gradient`.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, COUNT, HOLD};

@group(0) @binding(0) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> source_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn hold_steps_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * COUNT) { return; }
  let first = i / COUNT * HOLD * COUNT + i % COUNT;
  var sum = 0.0;
  @if(ACCUMULATE) sum = source_gradient[i];
  for (var k = 0u; k < HOLD; k++) { sum += gradient[first + k * COUNT]; }
  source_gradient[i] = sum;
}
