// squared_norm: partial sums of squares of the gradients block, CHUNK words each.
//
//   partial[k] = sum of g^2 over chunk k
//
// Layout     gradients [COUNT]; partial [chunks].
// Dispatch   LANES invocations per chunk (lib/rows).
// Numerics   1e-6 relative to the reference; infinite when a gradient is beyond 1e19.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, COUNT, CHUNK};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(1) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn squared_norm(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let chunk = row_of(group, groups, local);
  let first = chunk * CHUNK;
  if (first >= COUNT) { return; }
  let lane = lane_of(local);
  var squares = 0.0;
  for (var i = first + lane; i < min(first + CHUNK, COUNT); i += LANES) {
    squares += gradients[i] * gradients[i];
  }
  let total = row_sum(squares, lane);
  if (lane == 0u) { partial[chunk] = total; }
}
