// readout_mix_backward_mix: partial sums of the gradient of the blend's logit over CHUNK elements.
//
//   partial[k] = s (1 - s) sum of dy (direct - deep) over chunk k      s = 1 / (1 + exp(-logit))
//
// Layout     direct, deep, gradient [COUNT]; logit [1]; partial [chunks].
// Dispatch   one invocation per chunk.
// Numerics   elements of a chunk are added in order.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, CHUNK};

@group(0) @binding(0) var<storage, read_write> direct: array<f32>;
@group(0) @binding(1) var<storage, read_write> deep: array<f32>;
@group(0) @binding(2) var<storage, read_write> logit: array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(4) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn readout_mix_backward_mix(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let chunk = element(id, groups);
  let first = chunk * CHUNK;
  if (first >= COUNT) { return; }
  var sum = 0.0;
  for (var i = first; i < min(first + CHUNK, COUNT); i++) {
    sum += gradient[i] * (direct[i] - deep[i]);
  }
  let s = 1.0 / (1.0 + exp(-logit[0]));
  partial[chunk] = s * (1.0 - s) * sum;
}
