// lateral_inhibition: every spike pushes all other neurons of its row down.
//
//   v_n -= STRENGTH (spikes of the row - s_n)
//
// Layout     spikes bits [ROWS][WORDS]; membrane v [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, WORDS, STRENGTH};

@group(0) @binding(0) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(1) var<storage, read_write> membrane: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn lateral_inhibition(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let first = i / WIDTH * WORDS;
  let n = i % WIDTH;
  var others = 0u;
  for (var w = 0u; w < WORDS; w++) { others += countOneBits(spikes[first + w]); }
  others -= (spikes[first + n / 32u] >> (n % 32u)) & 1u;
  membrane[i] -= STRENGTH * f32(others);
}
