// competing_lif: one step of neurons with a threshold of their own and a time of rest.
//
//   u = DECAY v + I if rested, DECAY v if not      s = 1 if rested and u > THRESHOLD + offset
//   v = RESET if s, else u                         rest for REFRACTORY_STEPS after a spike
//
// Layout     current, membrane v, refractory u32 [ROWS][WIDTH]; offset [WIDTH]; spikes bits [ROWS][WORDS].
// Dispatch   one invocation per word of spikes.
// Numerics   the driver may fuse DECAY v + I: a neuron within 1e-6 of its threshold may differ.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, WORDS, DECAY, THRESHOLD, RESET, REFRACTORY_STEPS};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> offset: array<f32>;
@group(0) @binding(2) var<storage, read_write> membrane: array<f32>;
@group(0) @binding(3) var<storage, read_write> refractory: array<u32>;
@group(0) @binding(4) var<storage, read_write> spikes: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn competing_lif(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= ROWS * WORDS) { return; }
  let first = word % WORDS * 32u;
  let base = word / WORDS * WIDTH + first;
  var packed = 0u;
  for (var n = 0u; n < min(32u, WIDTH - first); n++) {
    let i = base + n;
    let rested = refractory[i] == 0u;
    let u = DECAY * membrane[i] + select(0.0, current[i], rested);
    let fires = rested && u > THRESHOLD + offset[first + n];
    membrane[i] = select(u, f32(RESET), fires);
    refractory[i] = select(max(refractory[i], 1u) - 1u, u32(REFRACTORY_STEPS), fires);
    packed |= u32(fires) << n;
  }
  spikes[word] = packed;
}
