// lif_backward: gradient of lif_forward with respect to the current, back through time, in place of the
// gradient of the spikes. HELD makes it lif_backward_held, whose current has one step.
//
//   d[t] = g[t] surrogate(u[t] - THRESHOLD) + beta d[t+1]      dI[t] = d[t]; HELD: dI = sum_t d[t]
//
// The reset is detached. Membranes are computed again from the current instead of being stored.
//
// Layout     current and gradient [STEPS][ROWS][WIDTH]; HELD: current and current_gradient [ROWS][WIDTH].
//            own_decay [1] with DECAY: beta, else BETA.
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference where no spike differs.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import package::lib::surrogate::surrogate;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, BETA, THRESHOLD};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@if(HELD) @group(0) @binding(2) var<storage, read_write> current_gradient: array<f32>;
@if(DECAY && !HELD) @group(0) @binding(2) var<storage, read_write> own_decay: array<f32>;
@if(DECAY && HELD) @group(0) @binding(3) var<storage, read_write> own_decay: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn lif_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }

  var beta = f32(BETA);
  @if(DECAY) beta = own_decay[0];
  var membrane: array<f32, STEPS>;
  var u = 0.0;
  for (var t = 0u; t < STEPS; t++) {
    let reset = select(0.0, THRESHOLD, u > THRESHOLD);
    @if(HELD) let drive = current[i];
    @else let drive = current[t * ROWS * WIDTH + i];
    u = beta * u + drive - reset;
    membrane[t] = u;
  }

  var d = 0.0;
  @if(HELD) var total = 0.0;
  for (var t = u32(STEPS); t > 0u; t--) {
    let at = (t - 1u) * ROWS * WIDTH + i;
    d = gradient[at] * surrogate(membrane[t - 1u] - THRESHOLD) + beta * d;
    @if(HELD) total += d;
    @else gradient[at] = d;
  }
  @if(HELD) current_gradient[i] = total;
}
