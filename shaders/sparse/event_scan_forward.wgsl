// event_scan_forward: neurons in int16 go through the tokens of a sequence. Those of the expert that a token
// is routed to receive its input and the spikes they fired at their last token; the others rest unchanged.
//
//   I = round(THETA drive) + GAIN sum_p w[i, p] s[-1][(o + s p) mod WIDTH]
//   v = clip16((LEAK v >> 8) + I)      s = 1 if v >= THETA, then v = 0
//
// Layout     drive, current (int32) [ACTIVE][ROWS][WIDTH]; experts [ACTIVE][ROWS]; spikes bits
//            [ACTIVE][ROWS][WORDS]; slots [ROWS / SEQUENCE]; state [slots][EXPERTS][PAIRS + WORDS]: membranes,
//            two int16 a word, then spikes; weight and topology as lib/fan_in has it.
// Dispatch   one workgroup per sequence: LANES invocations share pairs of neurons and meet at every token.
// Numerics   exact for a drive that is the same. Beyond 2^20 it saturates the membrane like 2^20.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::fan_in::{first_byte, links_of, signed_byte};
import package::lib::slots::{is_fresh, slot_of};
import constants::{
  LANES, ROWS, SEQUENCE, ACTIVE, EXPERTS, WIDTH, WORDS, FAN_IN, THETA, GAIN, LEAK
};

const PAIRS = (u32(WIDTH) + 1u) / 2u;
const STATE_WORDS = PAIRS + u32(WORDS);
const MOST = 1048576.0;

var<storage, read_write> drive: array<f32>;
var<storage, read_write> weight: array<u32>;
var<storage, read_write> topology: array<u32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> slots: array<u32>;
var<storage, read_write> state: array<u32>;
var<storage, read_write> spikes: array<u32>;
var<storage, read_write> current: array<i32>;

// Spikes of the expert's last token and of this one.
var<workgroup> before: array<u32, WORDS>;
var<workgroup> fired: array<atomic<u32>, WORDS>;

// Recurrent input of a neuron.
fn heard(expert: u32, neuron: u32) -> i32 {
  let links = links_of(expert, neuron);
  var source = (topology[links] + neuron % 16u) % WIDTH;
  var byte = first_byte(expert, neuron);
  var sum = 0;
  for (var p = 0u; p < FAN_IN; p++) {
    let spike = (before[source / 32u] >> (source % 32u)) & 1u;
    sum += i32(spike) * signed_byte(weight[byte / 4u], byte);
    source = (source + topology[links + 1u]) % WIDTH;
    byte += 16u;
  }
  return sum;
}

// The membrane of a neuron after its current; a spike is left in `fired`.
fn integrate(v: i32, event: u32, expert: u32, neuron: u32) -> i32 {
  let place = event * WIDTH + neuron;
  let driven = i32(round(clamp(THETA * drive[place], -MOST, MOST)));
  let total = driven + i32(GAIN) * heard(expert, neuron);
  current[place] = total;
  let next = clamp(((v * i32(LEAK)) >> 8u) + total, -0x8000, 0x7fff);
  if (next < i32(THETA)) { return next; }
  atomicOr(&fired[neuron / 32u], 1u << (neuron % 32u));
  return 0;
}

@compute @workgroup_size(LANES)
fn event_scan_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let item = group.y * groups.x + group.x;
  if (item >= ROWS / SEQUENCE) { return; }
  let slot = slot_of(slots[item]) * EXPERTS * STATE_WORDS;
  if (is_fresh(slots[item])) {
    for (var n = lane; n < EXPERTS * STATE_WORDS; n += LANES) { state[slot + n] = 0u; }
  }
  storageBarrier();
  for (var n = 0u; n < SEQUENCE * ACTIVE; n++) {
    let event = n % ACTIVE * ROWS + item * SEQUENCE + n / ACTIVE;
    let expert = experts[event];
    let own = slot + expert * STATE_WORDS;
    // A token of no expert leaves all neurons as they are, and none fires.
    let is_read = expert < EXPERTS;
    for (var w = lane; is_read && w < WORDS; w += LANES) { before[w] = state[own + PAIRS + w]; }
    for (var i = lane; !is_read && i < WIDTH; i += LANES) { current[event * WIDTH + i] = 0; }
    workgroupBarrier();
    for (var pair = lane; is_read && pair < PAIRS; pair += LANES) {
      let word = state[own + pair];
      let low = integrate(i32(word << 16u) >> 16u, event, expert, 2u * pair);
      var high = 0;
      if (2u * pair + 1u < WIDTH) { high = integrate(i32(word) >> 16u, event, expert, 2u * pair + 1u); }
      state[own + pair] = (u32(low) & 0xffffu) | (u32(high) << 16u);
    }
    workgroupBarrier();
    for (var w = lane; w < WORDS; w += LANES) {
      let word = atomicExchange(&fired[w], 0u);
      if (is_read) { state[own + PAIRS + w] = word; }
      spikes[event * WORDS + w] = word;
    }
    storageBarrier();
    workgroupBarrier();
  }
}
