// adamw: one step of Adam with decoupled weight decay over the parameter block.
//
//   g = gradient scale      m = B1 m + (1 - B1) g      v = B2 v + (1 - B2) g^2
//   p = p - rate (decay p) - rate (m / c1) / (sqrt(v / c2) + EPSILON)
//
// Layout     parameters, gradients, momentum, variance [COUNT], decay applies below DECAYED;
//            rates [5]: rate, decay, limit, c1 = 1 - B1^step, c2 = 1 - B2^step; scale [1], negative: skip.
// Dispatch   one invocation per parameter.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, DECAYED, BETA1, BETA2, EPSILON};

@group(0) @binding(0) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(2) var<storage, read_write> momentum: array<f32>;
@group(0) @binding(3) var<storage, read_write> variance: array<f32>;
@group(0) @binding(4) var<storage, read_write> scale: array<f32>;
@group(0) @binding(5) var<storage, read_write> rates: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn adamw(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT || scale[0] < 0.0) { return; }
  let rate = rates[0];
  let g = gradients[i] * scale[0];
  let m = BETA1 * momentum[i] + (1.0 - BETA1) * g;
  let v = BETA2 * variance[i] + (1.0 - BETA2) * g * g;
  let decay = select(0.0, rates[1], i < DECAYED);
  momentum[i] = m;
  variance[i] = v;
  parameters[i] = parameters[i] * (1.0 - rate * decay)
    - rate * (m / rates[3]) / (sqrt(v / rates[4]) + EPSILON);
}
