// copy: destination = source, word by word, whatever the words mean.
//
// Dispatch   one invocation per element.
// Numerics   exact.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> destination: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn copy(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i < COUNT) { destination[i] = source[i]; }
}
