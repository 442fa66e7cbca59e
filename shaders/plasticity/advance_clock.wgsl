// advance_clock: the clock goes on by a step.
//
// Layout     clock u32 [4]: step first.
// Dispatch   one invocation.
// Numerics   exact.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn advance_clock(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (element(id, groups) > 0u) { return; }
  clock[0]++;
}
