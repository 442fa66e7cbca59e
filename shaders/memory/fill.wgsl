// fill: set every element to one value.
//
// Dispatch   one invocation per element.
// Numerics   exact.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, VALUE};

@group(0) @binding(0) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn fill(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i < COUNT) { destination[i] = VALUE; }
}
