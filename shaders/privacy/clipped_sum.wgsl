// clipped_sum: adds what one example would change, no more of it than its scale leaves.
//
//   sum += scale addend    where scale >= 0
//
// Layout     addend [COUNT]; scale [1], negative where the addend is not finite; sum [COUNT].
// Dispatch   one invocation per element.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/training-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT};

@group(0) @binding(0) var<storage, read_write> addend: array<f32>;
@group(0) @binding(1) var<storage, read_write> scale: array<f32>;
@group(0) @binding(2) var<storage, read_write> sum: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn clipped_sum(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT || scale[0] < 0.0) { return; }
  sum[i] += scale[0] * addend[i];
}
