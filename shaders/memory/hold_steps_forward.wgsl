// hold_steps_forward: each time step some times after one another.
//
//   held[t HOLD + k] = source[t]    for k below HOLD
//
// Layout     source [STEPS][COUNT]; held [STEPS HOLD][COUNT].
// Dispatch   one invocation per element of `held`.
// Numerics   exact.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, COUNT, HOLD};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> held: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn hold_steps_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * HOLD * COUNT) { return; }
  held[i] = source[i / (COUNT * HOLD) * COUNT + i % COUNT];
}
