// inject_noise: a nearly normal current, drawn anew for each neuron and step.
//
//   z = 2^16 (bits set in words 0 to 2 - 48) + word 3 >> 16 - 2^15, words of philox((i, STREAM, t, 0), seed)
//   drive[FIRST + i] += MEAN + FACTOR z
//
// z is a binomial of 96 coins with a uniform share between its steps: mean -1/2, variance 2^32 (24 + 1/12),
// excess kurtosis -0.02. It is made of whole numbers, so no logarithm can differ between devices.
//
// Dispatch   one invocation per neuron of the range.
// Numerics   z is exact; the driver may fuse the product with the sum.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import package::lib::philox::philox;
import constants::{WORKGROUP, FIRST, COUNT, STREAM, MEAN, FACTOR};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> drive: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn inject_noise(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let words = philox(vec4u(i, STREAM, clock[0], 0u), vec2u(clock[2], clock[3]));
  let bits = countOneBits(words.xyz);
  let coins = i32(bits.x + bits.y + bits.z) - 48;
  let z = coins * 65536 + i32(words.w >> 16u) - 32768;
  drive[FIRST + i] += MEAN + FACTOR * f32(z);
}
