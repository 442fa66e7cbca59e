// reward_decay: move each beta toward 1 or away from it, as reward_signal says.
//
//   beta = clamp(1 - (1 - beta) (1 - move), LOWEST, HIGHEST)
//
// Layout     move [1]; beta [COUNT].
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/rule-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, LOWEST, HIGHEST};

@group(0) @binding(0) var<storage, read_write> shift: array<f32>;
@group(0) @binding(1) var<storage, read_write> beta: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn reward_decay(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  beta[i] = clamp(1.0 - (1.0 - beta[i]) * (1.0 - shift[0]), LOWEST, HIGHEST);
}
