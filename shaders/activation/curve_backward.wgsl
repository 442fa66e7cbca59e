// curve_backward: gradient of curve_forward with respect to its input.
//
//   sigmoid   dx (+)= dy s (1 - s)      s = 1 / (1 + e^-x)
//   softplus  dx (+)= dy s
//   log       dx (+)= dy / x    where x > 1e-10, else 0
//   relu      dx (+)= dy        where x > 0, else 0
//
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to 1 + |dx|.
// Reference  engine/backends/reference/rule-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(2) var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn curve_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let x = input[i];
  let s = 1.0 / (1.0 + exp(-x));
  var value = gradient[i] * s;
  @if(CURVE_SIGMOID) value *= 1.0 - s;
  @if(CURVE_LOG) value = select(0.0, gradient[i] / x, x > 1e-10);
  @if(CURVE_RELU) value = select(0.0, gradient[i], x > 0.0);
  @if(ACCUMULATE) value += input_gradient[i];
  input_gradient[i] = value;
}
