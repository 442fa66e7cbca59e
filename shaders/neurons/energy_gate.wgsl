// energy_gate: mask the spikes of neurons that have run out of energy.
//
//   open = energy >= THRESHOLD      gated = s and open
//   energy = clamp(energy - gated CONSUMPTION importance + RATE supply, 0, CAPACITY)
//
// Time runs over the STEPS of a token and then over the tokens of its sequence.
//
// Layout     spikes, gated, open bits [STEPS][ROWS][WORDS]; importance [WIDTH]; supply [1];
//            energy [ROWS / SEQUENCE][WIDTH], read first where CARRIED.
// Dispatch   one invocation per word of a batch entry.
// Numerics   exact while costs and supply are whole numbers or their sums fit 24 bits.
// Reference  engine/backends/reference/rule-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH, WORDS, SEQUENCE, CAPACITY, CONSUMPTION, RATE, THRESHOLD};

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> importance: array<f32>;
var<storage, read_write> supply: array<f32>;
var<storage, read_write> energy: array<f32>;
var<storage, read_write> gated: array<u32>;
var<storage, read_write> open: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn energy_gate(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS / SEQUENCE * WORDS) { return; }
  let entry = i / WORDS;
  let first = i % WORDS * 32u;
  let neurons = min(32u, WIDTH - first);
  let gain = RATE * supply[0];

  var left: array<f32, 32>;
  for (var n = 0u; n < neurons; n++) {
    @if(CARRIED) left[n] = energy[entry * WIDTH + first + n];
    @else left[n] = CAPACITY;
  }
  for (var k = 0u; k < SEQUENCE * STEPS; k++) {
    let at = (k % STEPS * ROWS + entry * SEQUENCE + k / STEPS) * WORDS + i % WORDS;
    let fired = spikes[at];
    var opened = 0u;
    for (var n = 0u; n < neurons; n++) {
      let is_open = left[n] >= THRESHOLD;
      let pays = is_open && ((fired >> n) & 1u) == 1u;
      let cost = select(0.0, CONSUMPTION * importance[first + n], pays);
      left[n] = clamp(left[n] - cost + gain, 0.0, CAPACITY);
      opened |= u32(is_open) << n;
    }
    gated[at] = fired & opened;
    open[at] = opened;
  }
  for (var n = 0u; n < neurons; n++) { energy[entry * WIDTH + first + n] = left[n]; }
}
