// delta_decode: the signal that ON and OFF spikes add up to.
//
//   y[t] = THRESHOLD sum_{k <= t} (ON[k] - OFF[k])
//
// Layout     spikes bits [STEPS][ROWS][WORDS] of 2 WIDTH neurons: all ON, then all OFF;
//            output [STEPS][ROWS][WIDTH].
// Dispatch   one invocation per signal, through all steps.
// Numerics   spikes are counted exactly and multiplied once.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import package::lib::spikes::fires;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, THRESHOLD};

@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn delta_decode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let row = i / WIDTH;
  let n = i % WIDTH;
  var level = 0i;
  for (var t = 0u; t < STEPS; t++) {
    level += i32(fires(t, row, n)) - i32(fires(t, row, WIDTH + n));
    output[t * ROWS * WIDTH + i] = THRESHOLD * f32(level);
  }
}
