// relaxed_lif_backward: gradient of relaxed_lif_forward with respect to the current, back through time.
//
//   d[t] = g[t] slope(x[t]) + beta d[t+1]      dI[t] = d[t]; where the current has one step, their sum
//   slope = (1 - hardness) 4 s (1 - s) + hardness surrogate(x), s = sigmoid(4 x)
//
// The reset is detached. Membranes are computed again from the current instead of being stored.
//
// Layout     current, current_gradient [CURRENT_STEPS][ROWS][WIDTH]; hardness [1];
//            gradient [STEPS][ROWS][WIDTH]; own_decay [1] with DECAY: beta, else BETA.
// Dispatch   one invocation per neuron.
// Numerics   1e-5 relative to the reference where no membrane is within 1e-6 of the threshold.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import package::lib::relaxed::{soft_spike, soft_slope};
import package::lib::surrogate::surrogate;
import constants::{WORKGROUP, STEPS, CURRENT_STEPS, ROWS, WIDTH, BETA, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> hardness: array<f32>;
@group(0) @binding(2) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(3) var<storage, read_write> current_gradient: array<f32>;
@if(DECAY) @group(0) @binding(4) var<storage, read_write> own_decay: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn relaxed_lif_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var beta = f32(BETA);
  @if(DECAY) beta = own_decay[0];
  let h = hardness[0];

  var slopes: array<f32, STEPS>;
  var u = 0.0;
  var s = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    u = beta * u + current[t % CURRENT_STEPS * ROWS * WIDTH + i] - s * THRESHOLD;
    let x = u - THRESHOLD;
    s = mix(soft_spike(x), f32(u > THRESHOLD), h);
    slopes[t] = mix(soft_slope(x), surrogate(x), h);
  }

  var d = 0.0;
  var total = 0.0;
  for (var t = u32(STEPS); t > 0u; t--) {
    d = gradient[(t - 1u) * ROWS * WIDTH + i] * slopes[t - 1u] + beta * d;
    total = select(d, total + d, CURRENT_STEPS == 1);
    current_gradient[(t - 1u) % CURRENT_STEPS * ROWS * WIDTH + i] = total;
  }
}
