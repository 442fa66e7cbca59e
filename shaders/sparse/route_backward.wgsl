// route_backward: gradient of the scores, from that of the gates and of the load-balance term
// `BALANCE EXPERTS sum_e load_e mean(softmax_e)`, whose loads are constants; from rest.
//
// Layout     means, scoreGradient [ROWS][EXPERTS]; experts, gateGradient [ACTIVE][ROWS]; load [EXPERTS].
// Dispatch   one invocation per sequence.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::gates::gates_of;
import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, SEQUENCE, ACTIVE, EXPERTS, MEMORY, BALANCE};

@group(0) @binding(0) var<storage, read_write> means: array<f32>;
@group(0) @binding(1) var<storage, read_write> experts: array<u32>;
@group(0) @binding(2) var<storage, read_write> load: array<f32>;
@group(0) @binding(3) var<storage, read_write> gate_gradient: array<f32>;
@group(0) @binding(4) var<storage, read_write> score_gradient: array<f32>;

// Gradient of the means of a token by the balance of loads.
fn balance_of(row: u32) -> array<f32, EXPERTS> {
  var highest = means[row * EXPERTS];
  for (var e = 1u; e < EXPERTS; e++) { highest = max(highest, means[row * EXPERTS + e]); }
  var shares: array<f32, EXPERTS>;
  var sum = 0.0;
  var mixed = 0.0;
  for (var e = 0u; e < EXPERTS; e++) {
    shares[e] = exp(means[row * EXPERTS + e] - highest);
    sum += shares[e];
    mixed += shares[e] * load[e];
  }
  for (var e = 0u; e < EXPERTS; e++) {
    shares[e] *= BALANCE * f32(EXPERTS) / f32(ROWS) / sum * (load[e] - mixed / sum);
  }
  return shares;
}

@compute @workgroup_size(WORKGROUP)
fn route_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let item = element(id, groups);
  if (item >= ROWS / SEQUENCE) { return; }
  var later: array<f32, EXPERTS>;
  for (var token = u32(SEQUENCE); token > 0u; token--) {
    let row = item * SEQUENCE + token - 1u;
    var own = balance_of(row);
    var chosen: array<f32, ACTIVE>;
    for (var k = 0u; k < ACTIVE; k++) {
      chosen[k] = means[row * EXPERTS + experts[k * ROWS + row]];
    }
    let gates = gates_of(chosen);
    var inner = 0.0;
    for (var k = 0u; k < ACTIVE; k++) { inner += gates[k] * gate_gradient[k * ROWS + row]; }
    for (var k = 0u; k < ACTIVE; k++) {
      let back = gate_gradient[k * ROWS + row];
      let one = gates[k] * (1.0 - gates[k]) * back;
      own[experts[k * ROWS + row]] += select(gates[k] * (back - inner), one, ACTIVE == 1u);
    }
    let rate = 1.0 / f32(min(u32(MEMORY), token));
    let kept = 1.0 - 1.0 / f32(min(u32(MEMORY), token + 1u));
    for (var e = 0u; e < EXPERTS; e++) {
      later[e] = own[e] + kept * later[e];
      score_gradient[row * EXPERTS + e] = rate * later[e];
    }
  }
}
