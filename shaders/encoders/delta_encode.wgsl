// delta_encode: spikes where a signal rises (ON) and where it falls (OFF).
//
//   ON[t] = x[t] - r[t-1] >= THRESHOLD      OFF[t] = x[t] - r[t-1] <= -THRESHOLD      r[-1] = 0
//   r[t] = x[t]; LEVEL: r[t] = r[t-1] + THRESHOLD (ON[t] - OFF[t])
//
// Layout     samples [STEPS][ROWS][WIDTH]; spikes bits [STEPS][ROWS][WORDS] of 2 WIDTH neurons: all ON,
//            then all OFF.
// Dispatch   one invocation per word of a row, through all steps.
// Numerics   a change within 1e-7 of the threshold may differ.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, WORDS, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> samples: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn delta_encode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= ROWS * WORDS) { return; }
  let first = word % WORDS * 32u;
  let base = word / WORDS * WIDTH;
  let count = min(32u, 2u * WIDTH - first);
  var known: array<f32, 32>;
  for (var t = 0u; t < STEPS; t++) {
    var packed = 0u;
    for (var i = 0u; i < count; i++) {
      let neuron = first + i;
      let x = samples[t * ROWS * WIDTH + base + neuron % WIDTH];
      let change = x - known[i];
      let on = change >= THRESHOLD;
      let off = change <= -THRESHOLD;
      packed |= u32(select(off, on, neuron < WIDTH)) << i;
      @if(LEVEL) known[i] += THRESHOLD * (f32(on) - f32(off));
      @else known[i] = x;
    }
    spikes[t * ROWS * WORDS + word] = packed;
  }
}
