// reward_update: weights follow the eligibility when the reward is not what was expected.
//
//   w += RATE (reward - baseline) c, then within LOW and HIGH      c = DECAY c
//
// Layout     reward [2]: reward, baseline; eligibility, weight [COUNT].
// Dispatch   one invocation per synapse.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, DECAY, RATE, LOW, HIGH};

@group(0) @binding(0) var<storage, read_write> reward: array<f32>;
@group(0) @binding(1) var<storage, read_write> eligibility: array<f32>;
@group(0) @binding(2) var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn reward_update(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let k = element(id, groups);
  if (k >= COUNT) { return; }
  let c = eligibility[k];
  weight[k] = clamp(weight[k] + RATE * (reward[0] - reward[1]) * c, LOW, HIGH);
  eligibility[k] = DECAY * c;
}
