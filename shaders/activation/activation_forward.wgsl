// activation_forward: y = value(x)                                      (lib/activation)
//
// Dispatch   one invocation per element, or per four when QUADS.
// Numerics   1e-6 relative to 1 + |y|.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import package::lib::activation::{Numbers, value};
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> input: array<Numbers>;
@group(0) @binding(1) var<storage, read_write> output: array<Numbers>;

@compute @workgroup_size(WORKGROUP)
fn activation_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  @if(QUADS) let end = u32(COUNT) / 4u;
  @else let end = u32(COUNT);
  if (i < end) { output[i] = value(input[i]); }
}
