// integer_lif: leaky integrate-and-fire in int16 with 32-bit sums, over all time steps.
//
//   V = clamp_int16((V LEAK >> 8) + I)      s = 1 if V > THRESHOLD, then V = 0
//
// Layout     current int32 [CURRENT_STEPS][ROWS][WIDTH]; membrane [ROWS][ceil(WIDTH / 2)], two int16 a word,
//            read first where CARRIED; spikes bits [STEPS][ROWS][WORDS].
// Dispatch   one invocation per pair of neurons of the padded row; 64 of them fill four words in
//            workgroup memory, CHUNK steps at a time.
// Numerics   exact. A current beyond 2^16 saturates V like one of 2^16, so the sum fits 32 bits.
// Reference  engine/backends/reference/rule-kernels.ts

import constants::{STEPS, CURRENT_STEPS, ROWS, WIDTH, WORDS, LEAK, THRESHOLD};

const LANES = 64u;
const CHUNK = 16u;
const PAIRS = (u32(WIDTH) + 1u) / 2u;
const MOST = vec2i(65536);

var<storage, read_write> current: array<i32>;
var<storage, read_write> membrane: array<u32>;
var<storage, read_write> spikes: array<u32>;

var<workgroup> packed: array<atomic<u32>, 4u * CHUNK>;

// The signed halves of a word.
fn halves(word: u32) -> vec2i {
  return vec2i(i32(word << 16u) >> 16u, i32(word) >> 16u);
}

@compute @workgroup_size(LANES)
fn integer_lif(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first_word = (group.y * groups.x + group.x) * 4u;
  let word = first_word + lane / 16u;
  let row = word / WORDS;
  let neuron = word % WORDS * 32u + lane % 16u * 2u;
  let exists = word < ROWS * WORDS && neuron < WIDTH;
  let is_pair = neuron + 1u < WIDTH;
  let place = row * PAIRS + neuron / 2u;

  var v = vec2i();
  @if(CARRIED) if (exists) { v = halves(membrane[place]); }
  for (var first = 0u; first < STEPS; first += CHUNK) {
    let steps = min(CHUNK, STEPS - first);
    atomicStore(&packed[lane], 0u);
    workgroupBarrier();
    for (var k = 0u; exists && k < steps; k++) {
      let source = ((first + k) % CURRENT_STEPS * ROWS + row) * WIDTH + neuron;
      var drive = vec2i(current[source], 0);
      if (is_pair) { drive.y = current[source + 1u]; }
      let sum = ((v * LEAK) >> vec2u(8u)) + clamp(drive, -MOST, MOST);
      v = clamp(sum, vec2i(-0x8000), vec2i(0x7fff));
      let fires = v > vec2i(THRESHOLD);
      v = select(v, vec2i(), fires);
      let bits = u32(fires.x) | (u32(fires.y && is_pair) << 1u);
      if (bits != 0u) { atomicOr(&packed[4u * k + lane / 16u], bits << (lane % 16u * 2u)); }
    }
    workgroupBarrier();
    // The lane that reads a word is the one that clears it for the next steps.
    let written = first_word + lane % 4u;
    if (lane / 4u < steps && written < ROWS * WORDS) {
      spikes[(first + lane / 4u) * ROWS * WORDS + written] = atomicLoad(&packed[lane]);
    }
  }
  if (exists) {
    let upper = select(0, v.y, is_pair);
    membrane[place] = (u32(v.x) & 0xffffu) | (u32(upper) << 16u);
  }
}
