// gelu_backward: gradient of gelu_forward with respect to its input.
//
//   dx (+)= dy (s + x s (1 - s) SLOPE (1 + 3 CUBIC x^2))      s = gate(x)      (lib/gelu)
//
// Dispatch   one invocation per element, or per four when QUADS.
// Numerics   1e-6 relative to 1 + |dx|.
// Reference  engine/backends/reference/transformer-kernels.ts

import package::lib::grid::element;
import package::lib::gelu::{SLOPE, CUBIC, Numbers, gate};
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> input: array<Numbers>;
@group(0) @binding(1) var<storage, read_write> gradient: array<Numbers>;
@group(0) @binding(2) var<storage, read_write> input_gradient: array<Numbers>;

@compute @workgroup_size(WORKGROUP)
fn gelu_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  @if(QUADS) let end = u32(COUNT) / 4u;
  @else let end = u32(COUNT);
  if (i >= end) { return; }
  let x = input[i];
  let s = gate(x);
  var value = gradient[i] * (s + x * s * (1.0 - s) * SLOPE * (1.0 + 3.0 * CUBIC * x * x));
  @if(ACCUMULATE) value += input_gradient[i];
  input_gradient[i] = value;
}
