// lif_forward: leaky integrate-and-fire over all time steps, from rest; a word of spikes at a time.
//
//   u[t] = beta u[t-1] + I[t] - s[t-1] THRESHOLD      s[t] = 1 if u[t] > THRESHOLD else 0
//
// Layout     current [STEPS or 1][ROWS][WIDTH] (HELD: one step, held for all);
//            spikes bits [STEPS][ROWS][WORDS], bit n of word w is neuron 32 w + n.
//            own_decay [1] with DECAY: beta, else BETA.
// Dispatch   one invocation per word of a row: for software adapters.
// Numerics   the driver may fuse beta u + I, so a neuron within 1e-6 of the threshold may differ.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, WORDS, BETA, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@if(DECAY) @group(0) @binding(2) var<storage, read_write> own_decay: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn lif_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= ROWS * WORDS) { return; }
  let first = word % WORDS * 32u;
  let base = word / WORDS * WIDTH + first;
  let neurons = min(32u, WIDTH - first);

  var beta = f32(BETA);
  @if(DECAY) beta = own_decay[0];
  var packed: array<u32, STEPS>;
  for (var n = 0u; n < neurons; n++) {
    var u = 0.0;
    var reset = 0.0;
    for (var t = 0u; t < STEPS; t++) {
      @if(HELD) let i = base + n;
      @else let i = t * ROWS * WIDTH + base + n;
      u = beta * u + current[i] - reset;
      let fires = u > THRESHOLD;
      reset = select(0.0, THRESHOLD, fires);
      packed[t] |= u32(fires) << n;
    }
  }
  for (var t = 0u; t < STEPS; t++) { spikes[t * ROWS * WORDS + word] = packed[t]; }
}
