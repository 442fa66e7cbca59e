// latency_encode: at most one spike for each number, the earlier the larger it is.
//
//   s[t, n] = 1 if bounds[t + 1] < x[n] <= bounds[t]
//
// Layout     intensity [ROWS][WIDTH]; bounds [STEPS + 1], falling; spikes bits [STEPS][ROWS][WORDS].
// Dispatch   one invocation per word of spikes.
// Numerics   exact: comparisons with a table of the host's, so every backend has the same spikes.
// Reference  engine/backends/reference/encoder-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, WORDS};

@group(0) @binding(0) var<storage, read_write> intensity: array<f32>;
@group(0) @binding(1) var<storage, read_write> bounds: array<f32>;
@group(0) @binding(2) var<storage, read_write> spikes: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn latency_encode(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= STEPS * ROWS * WORDS) { return; }
  let t = word / (ROWS * WORDS);
  let first = word % WORDS * 32u;
  let base = word / WORDS % ROWS * WIDTH;
  let low = bounds[t + 1u];
  let high = bounds[t];
  var packed = 0u;
  for (var n = first; n < min(first + 32u, WIDTH); n++) {
    let x = intensity[base + n];
    packed |= u32(x > low && x <= high) << (n - first);
  }
  spikes[word] = packed;
}
