// synchrony_forward: Kuramoto phases in groups, each drawn to the mean of its group, and a current that
// follows their rhythm.
//
//   z[t] = mean_j e^{i phi_j[t]}      R[t] = |z[t]|
//   drive_i[t] = I_i[t] (1 + MODULATION cos(phi_i[t] - arg z[t]))
//   phi_i[t+1] = phi_i[t] + omega_i + K[t] R[t] sin(arg z[t] - phi_i[t])      phi[0] = start
//
// Layout     current [CURRENT_STEPS][ROWS][WIDTH], coupling [COUPLING_STEPS][ROWS][GROUPS]; frequency and
//            start [WIDTH]; drive and phase [STEPS][ROWS][WIDTH]; mean, of z, and order, of R,
//            [STEPS][ROWS][GROUPS]. A group is WIDTH / GROUPS neighbours.
// Dispatch   LANES invocations per group of a row (lib/rows).
// Numerics   1e-6 relative to the reference in a step; phases drift apart over thousands.
// Reference  engine/backends/reference/synchrony-kernels.ts

import package::lib::angle::{unit, wrap};
import package::lib::kuramoto::{across, SIZE, SOFTENING};
import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, STEPS, CURRENT_STEPS, COUPLING_STEPS, ROWS, WIDTH, GROUPS, MODULATION};
@if(SUBGROUPS) enable subgroups;

var<storage, read_write> current: array<f32>;
var<storage, read_write> coupling: array<f32>;
var<storage, read_write> frequency: array<f32>;
var<storage, read_write> start: array<f32>;
var<storage, read_write> drive: array<f32>;
var<storage, read_write> phase: array<f32>;
var<storage, read_write> mean: array<vec2f>;
var<storage, read_write> order: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn synchrony_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let pair = row_of(group, groups, local);
  if (pair >= ROWS * GROUPS) { return; }
  let lane = lane_of(local);
  let in_layer = pair % GROUPS * SIZE;
  let in_step = pair / GROUPS * WIDTH + in_layer;

  for (var i = lane; i < SIZE; i += LANES) { phase[in_step + i] = start[in_layer + i]; }
  for (var t = 0u; t < STEPS; t++) {
    let first = t * ROWS * WIDTH + in_step;
    var z = vec2f();
    for (var i = lane; i < SIZE; i += LANES) { z += unit(phase[first + i]); }
    z = vec2f(row_sum(z.x, lane), row_sum(z.y, lane)) / f32(SIZE);
    if (lane == 0u) {
      mean[t * ROWS * GROUPS + pair] = z;
      order[t * ROWS * GROUPS + pair] = sqrt(dot(z, z));
    }
    let length = sqrt(dot(z, z) + SOFTENING);
    let pull = coupling[t % COUPLING_STEPS * ROWS * GROUPS + pair];
    let source = t % CURRENT_STEPS * ROWS * WIDTH + in_step;
    for (var i = lane; i < SIZE; i += LANES) {
      let e = unit(phase[first + i]);
      drive[first + i] = current[source + i] * (1.0 + MODULATION * dot(z, e) / length);
      if (t + 1u < STEPS) {
        let turn = pull * across(z, e);
        phase[first + ROWS * WIDTH + i] = wrap(phase[first + i] + frequency[in_layer + i] + turn);
      }
    }
  }
}
