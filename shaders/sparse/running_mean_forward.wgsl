// running_mean_forward: the mean of the tokens of a sequence up to each; those that are masked do not count.
//
//   mean += rate (input - mean), rate = 1 / n, or 0
//
// Layout     input, output [ROWS][WIDTH]; slots [ROWS / SEQUENCE]; state [slots][WIDTH + 1]: means, then how
//            many tokens they are of; mask, rates [ROWS].
// Dispatch   one invocation per sequence.
// Numerics   1e-6 relative.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import package::lib::slots::{is_fresh, slot_of};
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE};

var<storage, read_write> input: array<f32>;
var<storage, read_write> slots: array<u32>;
var<storage, read_write> state: array<f32>;
var<storage, read_write> mask: array<u32>;
var<storage, read_write> output: array<f32>;
var<storage, read_write> rates: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn running_mean_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let item = element(id, groups);
  if (item >= ROWS / SEQUENCE) { return; }
  let slot = slot_of(slots[item]) * (WIDTH + 1u);
  let fresh = is_fresh(slots[item]);
  let before = select(state[slot + WIDTH], 0.0, fresh);
  var count = before;
  for (var row = item * SEQUENCE; row < (item + 1u) * SEQUENCE; row++) {
    let is_there = mask[row] != 0u;
    if (is_there) { count += 1.0; }
    rates[row] = select(0.0, 1.0 / max(1.0, count), is_there);
  }
  state[slot + WIDTH] = count;
  for (var column = 0u; column < WIDTH; column++) {
    var mean = select(state[slot + column], 0.0, fresh);
    for (var row = item * SEQUENCE; row < (item + 1u) * SEQUENCE; row++) {
      mean += rates[row] * (input[row * WIDTH + column] - mean);
      output[row * WIDTH + column] = mean;
    }
    state[slot + column] = mean;
  }
}
