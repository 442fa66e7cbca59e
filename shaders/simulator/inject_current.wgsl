// inject_current: a constant or a ramp into a range of neurons, for a while.
//
//   drive[FIRST + i] += FROM + SLOPE (t - START)      while START <= t < STOP
//
// Dispatch   one invocation per neuron of the range.
// Numerics   the driver may fuse the product with the sum; a constant is exact.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, FIRST, COUNT, START, STOP, FROM, SLOPE};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> drive: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn inject_current(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT || clock[0] < u32(START) || clock[0] >= u32(STOP)) { return; }
  drive[FIRST + i] += FROM + SLOPE * f32(clock[0] - u32(START));
}
