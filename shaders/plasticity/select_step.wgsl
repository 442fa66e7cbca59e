// select_step: copies the step that the clock names out of many, words of any kind.
//
//   selected = source[step % STEPS]
//
// Layout     source [STEPS][COUNT]; clock u32 [4]: step first; selected [COUNT].
// Dispatch   one invocation per word.
// Numerics   exact.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, STEPS};

@group(0) @binding(0) var<storage, read_write> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> clock: array<u32>;
@group(0) @binding(2) var<storage, read_write> selected: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn select_step(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  selected[i] = source[clock[0] % STEPS * COUNT + i];
}
