// copy_rows: rows of sequences to rows of other sequences, over all time steps.
//
//   destination[s][TARGET_FIRST + r] (+)= source[s % (SOURCE_STEPS BATCH)][SOURCE_FIRST + r]
//
// for the COPIED_ROWS rows r of each sequence s.
//
// Layout     source [SOURCE_STEPS][BATCH][SOURCE_ROWS][WIDTH], of one step or all; destination
//            [STEPS][BATCH][TARGET_ROWS][WIDTH]; s counts sequences over steps and batch.
// Dispatch   one invocation per element copied.
// Numerics   exact, but for the one rounding of a sum.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, SOURCE_STEPS, BATCH, COPIED_ROWS, WIDTH};
import constants::{SOURCE_ROWS, SOURCE_FIRST, TARGET_ROWS, TARGET_FIRST};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn copy_rows(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * BATCH * COPIED_ROWS * WIDTH) { return; }
  let sequence = i / (COPIED_ROWS * WIDTH);
  let word = i % (COPIED_ROWS * WIDTH);
  let read_at = ((sequence % (SOURCE_STEPS * BATCH)) * SOURCE_ROWS + SOURCE_FIRST) * WIDTH + word;
  let write_at = (sequence * TARGET_ROWS + TARGET_FIRST) * WIDTH + word;
  var value = source[read_at];
  @if(ACCUMULATE) value += destination[write_at];
  destination[write_at] = value;
}
