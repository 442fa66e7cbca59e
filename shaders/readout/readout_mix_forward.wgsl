// readout_mix_forward: a learned blend of the direct and the deep path.
//
//   y = s direct + (1 - s) deep      s = 1 / (1 + exp(-logit))
//
// Layout     direct, deep, output [COUNT]; logit [1].
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> direct: array<f32>;
@group(0) @binding(1) var<storage, read_write> deep: array<f32>;
@group(0) @binding(2) var<storage, read_write> logit: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn readout_mix_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let s = 1.0 / (1.0 + exp(-logit[0]));
  output[i] = s * direct[i] + (1.0 - s) * deep[i];
}
