// route_forward: the running mean of the scores of a sequence chooses the experts that read a token, those
// with the highest mean; ties go to the first.
//
//   mean += rate (score - mean), rate = 1 / min(n, MEMORY)
//   gate = sigmoid(mean), or softmax over the chosen
//
// A token that is masked has a rate of 0, and goes to none: to the expert behind the last.
//
// Layout     scores [ROWS][EXPERTS]; means [ROWS][EXPERTS + 1], the last the rate; slots [ROWS / SEQUENCE];
//            state [slots][EXPERTS + 1]: means, then how many tokens they are of; experts, gates
//            [ACTIVE][ROWS]; mask [ROWS].
// Dispatch   one invocation per sequence.
// Numerics   1e-6 relative; means as close as that may be ranked the other way round.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::gates::gates_of;
import package::lib::grid::element;
import package::lib::slots::{is_fresh, slot_of};
import constants::{WORKGROUP, ROWS, SEQUENCE, ACTIVE, EXPERTS, MEMORY};

var<storage, read_write> scores: array<f32>;
var<storage, read_write> slots: array<u32>;
var<storage, read_write> state: array<f32>;
var<storage, read_write> means: array<f32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> gates: array<f32>;
@if(MASK) var<storage, read_write> mask: array<u32>;

// Whether an expert was chosen among the first `count`.
fn is_chosen(expert: u32, row: u32, count: u32) -> bool {
  for (var k = 0u; k < count; k++) {
    if (experts[k * ROWS + row] == expert) { return true; }
  }
  return false;
}

// The best expert that is not among the first `count`.
fn best_of(mean: ptr<function, array<f32, EXPERTS>>, row: u32, count: u32) -> u32 {
  var best = u32(EXPERTS);
  for (var e = 0u; e < EXPERTS; e++) {
    if (is_chosen(e, row, count)) { continue; }
    if (best == EXPERTS || (*mean)[e] > (*mean)[min(best, EXPERTS - 1u)]) { best = e; }
  }
  return best;
}

@compute @workgroup_size(WORKGROUP)
fn route_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let item = element(id, groups);
  if (item >= ROWS / SEQUENCE) { return; }
  let slot = slot_of(slots[item]) * (EXPERTS + 1u);
  let fresh = is_fresh(slots[item]);
  var mean: array<f32, EXPERTS>;
  for (var e = 0u; e < EXPERTS; e++) { mean[e] = select(state[slot + e], 0.0, fresh); }
  var count = select(state[slot + EXPERTS], 0.0, fresh);
  for (var row = item * SEQUENCE; row < (item + 1u) * SEQUENCE; row++) {
    @if(MASK) let is_there = mask[row] != 0u;
    @else let is_there = true;
    if (is_there) { count = min(f32(MEMORY), count + 1.0); }
    let rate = select(0.0, 1.0 / max(1.0, count), is_there);
    for (var e = 0u; e < EXPERTS; e++) {
      mean[e] += rate * (scores[row * EXPERTS + e] - mean[e]);
      means[row * (EXPERTS + 1u) + e] = mean[e];
    }
    means[row * (EXPERTS + 1u) + EXPERTS] = rate;
    var chosen: array<f32, ACTIVE>;
    for (var k = 0u; k < ACTIVE; k++) {
      let best = best_of(&mean, row, k);
      experts[k * ROWS + row] = best;
      chosen[k] = mean[best];
    }
    let shares = gates_of(chosen);
    for (var k = 0u; k < ACTIVE; k++) {
      gates[k * ROWS + row] = select(0.0, shares[k], is_there);
      if (!is_there) { experts[k * ROWS + row] = EXPERTS; }
    }
  }
  for (var e = 0u; e < EXPERTS; e++) { state[slot + e] = mean[e]; }
  state[slot + EXPERTS] = count;
}
