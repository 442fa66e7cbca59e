// hebbian_update: moves each weight by what its two neurons did on average.
//
//   w = clamp(w + round(RATE pre post), -127, 127); a negative scale says that the optimiser left its step
//   out, and so do the synapses
//
// Layout     means [EXPERTS][3][WIDTH], line SOURCE that of the presynaptic neurons and line 2 that of the
//            postsynaptic ones; scale [1]; weight and topology as lib/fan_in has it.
// Dispatch   one invocation per word of four weights.
// Numerics   exact but for products within 1e-6 of a half.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::fan_in::{EXPERT_BYTES, hearer, links_of, signed_byte};
import package::lib::grid::element;
import constants::{WORKGROUP, EXPERTS, WIDTH, FAN_IN, SOURCE, RATE};

@group(0) @binding(0) var<storage, read_write> means: array<f32>;
@group(0) @binding(1) var<storage, read_write> topology: array<u32>;
@group(0) @binding(2) var<storage, read_write> scale: array<f32>;
@group(0) @binding(3) var<storage, read_write> weight: array<u32>;

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
  var packed = 0u;
  for (var b = 0u; b < 4u; b++) {
    let neuron = hearer(first + b);
    if (neuron >= WIDTH) { continue; }
    let links = links_of(expert, neuron);
    // The stride is taken link times, each below WIDTH, so that the product stays below 2^32.
    let source = (topology[links] + neuron % 16u + topology[links + 1u] * link) % WIDTH;
    let pre = means[(expert * 3u + SOURCE) * WIDTH + source];
    let post = means[(expert * 3u + 2u) * WIDTH + neuron];
    let moved = signed_byte(old, b) + i32(round(clamp(RATE * pre * post, -512.0, 512.0)));
    packed |= (u32(clamp(moved, -127, 127)) & 0xffu) << (8u * b);
  }
  weight[word] = packed;
}
