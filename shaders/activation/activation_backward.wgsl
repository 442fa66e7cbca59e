// activation_backward: dx (+)= dy slope(x)                              (lib/activation)
//
// Dispatch   one invocation per element, or per four when QUADS.
// Numerics   1e-6 relative to 1 + |dx|.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import package::lib::activation::{Numbers, slope};
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> input: array<Numbers>;
@group(0) @binding(1) var<storage, read_write> gradient: array<Numbers>;
@group(0) @binding(2) var<storage, read_write> input_gradient: array<Numbers>;

@compute @workgroup_size(WORKGROUP)
fn activation_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  @if(QUADS) let end = u32(COUNT) / 4u;
  @else let end = u32(COUNT);
  if (i >= end) { return; }
  var change = gradient[i] * slope(input[i]);
  @if(ACCUMULATE) change += input_gradient[i];
  input_gradient[i] = change;
}
