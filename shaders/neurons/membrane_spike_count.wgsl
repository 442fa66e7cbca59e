// membrane_spike_count: in how many time steps each neuron fired, read off its membranes.
//
//   counts[r, n] = sum_t (u[t, r, n] > THRESHOLD)
//
// Layout     membrane [STEPS][ROWS][WIDTH]; counts u32 [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   exact.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> membrane: array<f32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn membrane_spike_count(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var count = 0u;
  for (var t = 0u; t < STEPS; t++) {
    count += select(0u, 1u, membrane[t * ROWS * WIDTH + i] > THRESHOLD);
  }
  counts[i] = count;
}
