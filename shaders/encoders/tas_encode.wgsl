// tas_encode: temporal analog spikes of an integrate-and-fire time-encoding machine whose threshold
// adapts; from v = 0 and h = 1.
//
//   v += x;  if v >= h: spike, v -= h, h += ALPHA  else h = 1 + RHO (h - 1)
//
// Layout     samples [STEPS or 1][ROWS][WIDTH] (HELD: one step, held for all);
//            spikes bits [STEPS][ROWS][WORDS].
// Dispatch   one invocation per word of a row, through all steps.
// Numerics   a v within 1e-6 of the threshold may differ.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, WORDS, ALPHA, RHO};

@group(0) @binding(0) var<storage, read_write> samples: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn tas_encode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= ROWS * WORDS) { return; }
  let first = word % WORDS * 32u;
  let base = word / WORDS * WIDTH + first;
  let count = min(32u, WIDTH - first);
  var v: array<f32, 32>;
  // Of the threshold what is above 1.
  var excess: array<f32, 32>;
  for (var t = 0u; t < STEPS; t++) {
    var packed = 0u;
    for (var i = 0u; i < count; i++) {
      @if(HELD) v[i] += samples[base + i];
      @else v[i] += samples[t * ROWS * WIDTH + base + i];
      let h = 1.0 + excess[i];
      let fires = v[i] >= h;
      v[i] -= select(0.0, h, fires);
      excess[i] = select(RHO * excess[i], excess[i] + ALPHA, fires);
      packed |= u32(fires) << i;
    }
    spikes[t * ROWS * WORDS + word] = packed;
  }
}
