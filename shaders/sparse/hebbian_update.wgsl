// hebbian_update: moves each weight by what its two neurons did on average, rounded up or down at random
// so that the expected move is not rounded.
//
//   d = RATE pre post        w = clamp(w + sign(d) floor(|d| + u), -127, 127)
//
// u is the upper 24 bits of word b of philox((word, STREAM, step, 0), seed) / 2^24 for byte b of a word of
// weights. A negative scale says that the optimiser left its step out, and so do the synapses.
//
// Layout     means [EXPERTS][3][WIDTH], line SOURCE that of the presynaptic neurons and line 2 that of the
//            postsynaptic ones; scale [1]; clock u32 [4]: step, slot, seed low, seed high; weight and
//            topology as lib/fan_in has it.
// Dispatch   one invocation per word of four weights.
// Numerics   exact: |d|, the product of float32, in 2^24ths, the rest in integers.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::fan_in::{EXPERT_BYTES, postsynaptic, links_of, signed_byte};
import package::lib::grid::element;
import package::lib::philox::philox;
import constants::{WORKGROUP, EXPERTS, WIDTH, FAN_IN, SOURCE, RATE, STREAM};

var<storage, read_write> means: array<f32>;
var<storage, read_write> topology: array<u32>;
var<storage, read_write> scale: array<f32>;
var<storage, read_write> clock: array<u32>;
var<storage, read_write> weight: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn hebbian_update(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (4u * word >= EXPERTS * EXPERT_BYTES || scale[0] < 0.0) { return; }
  let expert = 4u * word / EXPERT_BYTES;
  let first = 4u * word % EXPERT_BYTES;
  let link = first / 16u % FAN_IN;
  let old = weight[word];
  let drawn = philox(vec4u(word, STREAM, clock[0], 0u), vec2u(clock[2], clock[3])) >> vec4u(8u);
  var packed = 0u;
  for (var b = 0u; b < 4u; b++) {
    let neuron = postsynaptic(first + b);
    if (neuron >= WIDTH) { continue; }
    let links = links_of(expert, neuron);
    // The stride is taken link times, each below WIDTH, so that the product stays below 2^32.
    let source = (topology[links] + neuron % 16u + topology[links + 1u] * link) % WIDTH;
    let pre = means[(expert * 3u + SOURCE) * WIDTH + source];
    let post = means[(expert * 3u + 2u) * WIDTH + neuron];
    let d = RATE * pre * post;
    // No move is longer than 254, and 254 2^24 is below 2^32.
    let steps = i32((u32(min(abs(d), 254.0) * 16777216.0) + drawn[b]) >> 24u);
    let moved = signed_byte(old, b) + select(steps, -steps, d < 0.0);
    packed |= (u32(clamp(moved, -127, 127)) & 0xffu) << (8u * b);
  }
  weight[word] = packed;
}
