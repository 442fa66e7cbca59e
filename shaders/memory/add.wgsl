// add: destination += addend, element by element. Joins gradients that meet in one tensor.
//
// Dispatch   one invocation per element.
// Numerics   one rounding.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> addend: array<f32>;
@group(0) @binding(1) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn add(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i < COUNT) { destination[i] += addend[i]; }
}
