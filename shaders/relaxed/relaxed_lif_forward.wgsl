// relaxed_lif_forward: leaky integrate-and-fire with spikes between 0 and 1 over all time steps, from rest.
//
//   u[t] = beta u[t-1] + I[t] - s[t-1] THRESHOLD      x = u - THRESHOLD
//   s = (1 - hardness) sigmoid(4 x) + hardness (x > 0)
//
// Layout     current [CURRENT_STEPS][ROWS][WIDTH]; hardness [1], 1 gives the spikes of lif_forward;
//            spikes f32 [STEPS][ROWS][WIDTH]; own_decay [1] with DECAY: beta, else BETA.
// Dispatch   one invocation per neuron.
// Numerics   1e-5 relative to the reference where no membrane is within 1e-6 of the threshold.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import package::lib::relaxed::soft_spike;
import constants::{WORKGROUP, STEPS, CURRENT_STEPS, ROWS, WIDTH, BETA, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> hardness: array<f32>;
@group(0) @binding(2) var<storage, read_write> spikes: array<f32>;
@if(DECAY) @group(0) @binding(3) var<storage, read_write> own_decay: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn relaxed_lif_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var beta = f32(BETA);
  @if(DECAY) beta = own_decay[0];
  var u = 0.0;
  var s = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    u = beta * u + current[t % CURRENT_STEPS * ROWS * WIDTH + i] - s * THRESHOLD;
    s = mix(soft_spike(u - THRESHOLD), f32(u > THRESHOLD), hardness[0]);
    spikes[t * ROWS * WIDTH + i] = s;
  }
}
