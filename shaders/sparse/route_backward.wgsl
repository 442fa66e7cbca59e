// route_backward: gradient of the scores, from that of the gates and of the load-balance term
// `BALANCE EXPERTS sum_e load_e mean(softmax_e)`, whose loads are constants; from rest.
//
// Layout     means [ROWS][EXPERTS + 1], the last the rate, 0 of a masked token; scoreGradient [ROWS][EXPERTS]; experts, gateGradient [ACTIVE][ROWS]; load [EXPERTS].
// Dispatch   one invocation per sequence.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::gates::gates_of;
import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, SEQUENCE, ACTIVE, EXPERTS, BALANCE};

var<storage, read_write> means: array<f32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> load: array<f32>;
var<storage, read_write> gate_gradient: array<f32>;
var<storage, read_write> score_gradient: array<f32>;

// Gradient of the means of a token by the balance of loads.
fn balance_of(row: u32) -> array<f32, EXPERTS> {
  let first = row * (EXPERTS + 1u);
  var highest = means[first];
  for (var e = 1u; e < EXPERTS; e++) { highest = max(highest, means[first + e]); }
  var shares: array<f32, EXPERTS>;
  var sum = 0.0;
  var mixed = 0.0;
  for (var e = 0u; e < EXPERTS; e++) {
    shares[e] = exp(means[first + e] - highest);
    sum += shares[e];
    mixed += shares[e] * load[e];
  }
  for (var e = 0u; e < EXPERTS; e++) {
    shares[e] *= BALANCE * f32(EXPERTS) / f32(ROWS) / sum * (load[e] - mixed / sum);
  }
  return shares;
}

// Gradient of the means of a token by its gates and by the balance; of no meaning for one that is masked.
fn own_of(row: u32) -> array<f32, EXPERTS> {
  var own = balance_of(row);
  var chosen: array<f32, ACTIVE>;
  for (var k = 0u; k < ACTIVE; k++) {
    chosen[k] = means[row * (EXPERTS + 1u) + experts[k * ROWS + row]];
  }
  let gates = gates_of(chosen);
  var inner = 0.0;
  for (var k = 0u; k < ACTIVE; k++) { inner += gates[k] * gate_gradient[k * ROWS + row]; }
  for (var k = 0u; k < ACTIVE; k++) {
    let back = gate_gradient[k * ROWS + row];
    let one = gates[k] * (1.0 - gates[k]) * back;
    own[min(experts[k * ROWS + row], EXPERTS - 1u)] +=
      select(gates[k] * (back - inner), one, ACTIVE == 1u);
  }
  return own;
}

@compute @workgroup_size(WORKGROUP)
fn route_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let item = element(id, groups);
  if (item >= ROWS / SEQUENCE) { return; }
  var later: array<f32, EXPERTS>;
  var kept = 0.0;
  for (var token = u32(SEQUENCE); token > 0u; token--) {
    let row = item * SEQUENCE + token - 1u;
    let rate = means[row * (EXPERTS + 1u) + EXPERTS];
    let own = own_of(row);
    for (var e = 0u; e < EXPERTS; e++) {
      later[e] = select(0.0, own[e], rate > 0.0) + kept * later[e];
      score_gradient[row * EXPERTS + e] = rate * later[e];
    }
    kept = 1.0 - rate;
  }
}
