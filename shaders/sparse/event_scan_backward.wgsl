// event_scan_backward: gradient of the drive of event_scan_forward, back through the tokens and the recurrent
// synapses, in place of the gradient of the spikes; through the current alone, with the slope of its sigmoid.
//
//   g = (gradient + GAIN / THETA sum of w g over the links to the expert's next token) sigma'(I / THETA)
//
// Layout     current (int32), gradient [ACTIVE][ROWS][WIDTH]; experts [ACTIVE][ROWS]; weight and fanOut as
//            lib/fan_in has it.
// Dispatch   one workgroup per sequence: LANES invocations share its neurons and meet at every token.
// Numerics   1e-6 relative to the sum of magnitudes, times what the recurrence makes of it.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::fan_in::{EXPERT_BYTES, postsynaptic, LIST_WORDS, signed_byte};
import constants::{LANES, ROWS, SEQUENCE, ACTIVE, EXPERTS, WIDTH, THETA, GAIN};

const NONE = 0xffffffffu;

var<storage, read_write> current: array<i32>;
var<storage, read_write> weight: array<u32>;
var<storage, read_write> fan_out: array<u32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> gradient: array<f32>;

// Gradient of a neuron from its postsynaptic event.
fn returned(expert: u32, neuron: u32, next: u32) -> f32 {
  let list = expert * LIST_WORDS;
  let first = list + WIDTH + 1u;
  var sum = 0.0;
  for (var n = fan_out[list + neuron]; n < fan_out[list + neuron + 1u]; n++) {
    let byte = fan_out[first + n];
    let w = signed_byte(weight[(expert * EXPERT_BYTES + byte) / 4u], byte);
    sum += f32(w) * gradient[next * WIDTH + postsynaptic(byte)];
  }
  return sum;
}

@compute @workgroup_size(LANES)
fn event_scan_backward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let item = group.y * groups.x + group.x;
  if (item >= ROWS / SEQUENCE) { return; }
  // The event of each expert that comes next.
  var next: array<u32, EXPERTS>;
  for (var e = 0u; e < EXPERTS; e++) { next[e] = NONE; }
  for (var left = u32(SEQUENCE * ACTIVE); left > 0u; left--) {
    let n = left - 1u;
    let event = n % ACTIVE * ROWS + item * SEQUENCE + n / ACTIVE;
    let expert = experts[event];
    for (var neuron = lane; neuron < WIDTH; neuron += LANES) {
      let place = event * WIDTH + neuron;
      var g = select(0.0, gradient[place], expert < EXPERTS);
      if (expert < EXPERTS && next[min(expert, EXPERTS - 1u)] != NONE) { g += GAIN / THETA * returned(expert, neuron, next[expert]); }
      let s = 1.0 / (1.0 + exp(-f32(current[place]) / THETA));
      gradient[place] = g * s * (1.0 - s);
    }
    if (expert < EXPERTS) { next[expert] = event; }
    storageBarrier();
  }
}
