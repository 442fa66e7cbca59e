// clear_sequences: set what is carried to zero for the rows whose sequence begins.
//
// Layout     begins u32 [BATCH], not 0 where a sequence begins; state [STEPS][BATCH][WIDTH].
// Dispatch   one invocation per element.
// Numerics   exact.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, BATCH, WIDTH};

@group(0) @binding(0) var<storage, read_write> begins: array<u32>;
@group(0) @binding(1) var<storage, read_write> state: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn clear_sequences(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * BATCH * WIDTH) { return; }
  if (begins[i / WIDTH % BATCH] != 0u) { state[i] = 0.0; }
}
