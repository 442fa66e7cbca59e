// synchrony_backward: gradient of synchrony_forward's drive with respect to current and coupling, back
// through phases and their means.
//
// With e = e^{i phi}, z their mean, along = Re(z conj e), across = Im(z conj e), r = |z|, p = dphi[t+1]:
//   dI = g (1 + MODULATION along / r)      dalong = g MODULATION I / r      dK = sum_i p across
//   dphi = p (1 - K along) + dalong across + Im(dz conj e) / SIZE
//   dz = sum_i dalong (e - along / r^2 z) + p K i e
//
// Layout     as synchrony_forward; gradients as what they belong to, summed over the steps where that has
//            one. The gradient of the drive is overwritten by that of the phases.
// Dispatch   LANES invocations per group of a row (lib/rows).
// Numerics   1e-5 relative to the reference.
// Reference  engine/backends/reference/synchrony-kernels.ts

import package::lib::angle::unit;
import package::lib::kuramoto::{across, SIZE, SOFTENING};
import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, STEPS, CURRENT_STEPS, COUPLING_STEPS, ROWS, WIDTH, GROUPS, MODULATION};
@if(SUBGROUPS) enable subgroups;

var<storage, read_write> current: array<f32>;
var<storage, read_write> coupling: array<f32>;
var<storage, read_write> phase: array<f32>;
var<storage, read_write> mean: array<vec2f>;
var<storage, read_write> gradient: array<f32>;
var<storage, read_write> current_gradient: array<f32>;
var<storage, read_write> coupling_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn synchrony_backward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let pair = row_of(group, groups, local);
  if (pair >= ROWS * GROUPS) { return; }
  let lane = lane_of(local);
  let in_step = pair / GROUPS * WIDTH + pair % GROUPS * SIZE;

  var by_pull = 0.0;
  for (var t = STEPS - 1; t >= 0; t--) {
    let first = u32(t) * ROWS * WIDTH + in_step;
    let next = first + ROWS * WIDTH;
    let source = u32(t) % CURRENT_STEPS * ROWS * WIDTH + in_step;
    let at = u32(t) % COUPLING_STEPS * ROWS * GROUPS + pair;
    let z = mean[u32(t) * ROWS * GROUPS + pair];
    let square = dot(z, z) + SOFTENING;
    let pull = coupling[at];
    let is_last = t == STEPS - 1;

    var by_z = vec2f();
    var turned = 0.0;
    for (var i = lane; i < SIZE; i += LANES) {
      let e = unit(phase[first + i]);
      let along = dot(z, e);
      let ahead = across(z, e);
      let g = gradient[first + i];
      var p = 0.0;
      if (!is_last) { p = gradient[next + i]; }
      var by_current = g * (1.0 + MODULATION * along / sqrt(square));
      let by_along = g * MODULATION * current[source + i] / sqrt(square);
      if (CURRENT_STEPS == 1 && !is_last) { by_current += current_gradient[source + i]; }
      current_gradient[source + i] = by_current;
      by_z += by_along * (e - along / square * z) + p * pull * vec2f(-e.y, e.x);
      turned += p * ahead;
      gradient[first + i] = p * (1.0 - pull * along) + by_along * ahead;
    }
    by_z = vec2f(row_sum(by_z.x, lane), row_sum(by_z.y, lane)) / f32(SIZE);
    turned = row_sum(turned, lane);
    by_pull = select(turned, by_pull + turned, COUPLING_STEPS == 1);
    if (lane == 0u) { coupling_gradient[at] = by_pull; }
    for (var i = lane; i < SIZE; i += LANES) {
      let e = unit(phase[first + i]);
      gradient[first + i] += across(by_z, e);
    }
  }
}
