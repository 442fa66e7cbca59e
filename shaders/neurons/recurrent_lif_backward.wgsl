// recurrent_lif_backward: gradient of recurrent_lif_forward with respect to the current, back through
// time and through the recurrent connections, in place of the gradient of the spikes.
//
//   g[t] = gradient[t] + weight d[t+1]
//   d[t] = g[t] surrogate(u[t] - THRESHOLD) + BETA d[t+1]
//
// The reset is detached.
//
// Layout     membrane and gradient [STEPS][ROWS][WIDTH]; weight [WIDTH][WIDTH], from and to.
// Dispatch   one workgroup per row: LANES invocations share its neurons and meet after every step.
// Numerics   1e-6 relative to the sum of magnitudes, times what the recurrence makes of it.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::surrogate::surrogate;
import constants::{LANES, STEPS, ROWS, WIDTH, BETA, THRESHOLD};

var<storage, read_write> membrane: array<f32>;
var<storage, read_write> weight: array<f32>;
var<storage, read_write> gradient: array<f32>;

@compute @workgroup_size(LANES)
fn recurrent_lif_backward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = group.y * groups.x + group.x;
  if (row >= ROWS) { return; }
  for (var t = u32(STEPS); t > 0u; t--) {
    let here = ((t - 1u) * ROWS + row) * WIDTH;
    let after = here + ROWS * WIDTH;
    for (var k = lane; k < WIDTH; k += LANES) {
      var g = gradient[here + k];
      var carried = 0.0;
      if (t < STEPS) {
        for (var n = 0u; n < WIDTH; n++) { g += weight[k * WIDTH + n] * gradient[after + n]; }
        carried = BETA * gradient[after + k];
      }
      gradient[here + k] = g * surrogate(membrane[here + k] - THRESHOLD) + carried;
    }
    storageBarrier();
  }
}
