// readout_mix_backward: hand the gradient of the blend to both paths.
//
//   d direct (+)= s dy      d deep (+)= (1 - s) dy      s = 1 / (1 + exp(-logit))
//
// Layout     gradient, direct_gradient, deep_gradient [COUNT]; logit [1].
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> logit: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(2) var<storage, read_write> direct_gradient: array<f32>;
@group(0) @binding(3) var<storage, read_write> deep_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn readout_mix_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let s = 1.0 / (1.0 + exp(-logit[0]));
  var direct = s * gradient[i];
  var deep = (1.0 - s) * gradient[i];
  @if(ACCUMULATE_DIRECT) direct += direct_gradient[i];
  @if(ACCUMULATE_DEEP) deep += deep_gradient[i];
  direct_gradient[i] = direct;
  deep_gradient[i] = deep;
}
