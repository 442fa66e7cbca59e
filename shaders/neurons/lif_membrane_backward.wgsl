// lif_membrane_backward: gradient of lif_membrane with respect to the current, back through the leak.
//
//   d[t] = g[t] + BETA d[t+1]      dI[t] = d[t]; HELD: dI = sum_t d[t]
//
// The reset is detached, so membranes are not needed.
//
// Layout     gradient [STEPS][ROWS][WIDTH]; current_gradient [STEPS or 1][ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, BETA};

@group(0) @binding(0) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> current_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn lif_membrane_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  var d = 0.0;
  @if(HELD) var total = 0.0;
  for (var t = u32(STEPS); t > 0u; t--) {
    let at = (t - 1u) * ROWS * WIDTH + i;
    d = gradient[at] + BETA * d;
    @if(HELD) total += d;
    @else current_gradient[at] = d;
  }
  @if(HELD) current_gradient[i] = total;
}
