// curve_forward: a monotonic curve; CURVE_* says which.
//
//   sigmoid   1 / (1 + e^-x)
//   softplus  log(1 + e^x)
//   log       log(max(x, 1e-10))
//   relu      max(x, 0)
//
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to 1 + |y|.
// Reference  engine/backends/reference/rule-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn curve_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let x = input[i];
  @if(CURVE_SIGMOID) output[i] = 1.0 / (1.0 + exp(-x));
  @if(CURVE_SOFTPLUS) output[i] = max(x, 0.0) + log(1.0 + exp(-abs(x)));
  @if(CURVE_LOG) output[i] = log(max(x, 1e-10));
  @if(CURVE_RELU) output[i] = max(x, 0.0);
}
