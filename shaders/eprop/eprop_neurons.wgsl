// eprop_neurons: one step of adaptive leaky integrate-and-fire neurons, with the slope of their spikes.
//
//   v = DECAY v + I - s THRESHOLD      a = ADAPTATION_DECAY a + s      A = THRESHOLD + ADAPTATION_GAIN a
//   s = 1 if v > A else 0              slope = surrogate(v - A)
//
// The s on the right are the spikes of the step before, which lie where the new ones are put.
//
// Layout     current, membrane v, adaptation a, slope [ROWS][WIDTH]; spikes bits [ROWS][WORDS].
// Dispatch   one invocation per word of spikes.
// Numerics   the driver may fuse DECAY v + I: a neuron within 1e-6 of its threshold may differ.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import package::lib::surrogate::surrogate;
import constants::{WORKGROUP, ROWS, WIDTH, WORDS, DECAY, THRESHOLD, ADAPTATION_DECAY, ADAPTATION_GAIN};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> membrane: array<f32>;
@group(0) @binding(2) var<storage, read_write> adaptation: array<f32>;
@group(0) @binding(3) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(4) var<storage, read_write> slope: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn eprop_neurons(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= ROWS * WORDS) { return; }
  let first = word % WORDS * 32u;
  let base = word / WORDS * WIDTH + first;
  let before = spikes[word];
  var packed = 0u;
  for (var n = 0u; n < min(32u, WIDTH - first); n++) {
    let i = base + n;
    let fired = f32((before >> n) & 1u);
    let v = DECAY * membrane[i] + current[i] - fired * THRESHOLD;
    let a = ADAPTATION_DECAY * adaptation[i] + fired;
    let x = v - (THRESHOLD + ADAPTATION_GAIN * a);
    membrane[i] = v;
    adaptation[i] = a;
    slope[i] = surrogate(x);
    packed |= u32(x > 0.0) << n;
  }
  spikes[word] = packed;
}
