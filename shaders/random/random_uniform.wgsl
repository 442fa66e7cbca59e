// random_uniform: uniform numbers in [0, 1), four for each draw of Philox.
//
//   output[4 k + j] = upper 24 bits of word j of philox((k, STREAM, step, 0), seed) / 2^24
//
// Layout     output [COUNT]; clock u32 [4]: step, slot, seed low, seed high.
// Dispatch   one invocation per four numbers.
// Numerics   exact: the same numbers on every backend.
// Reference  engine/random/philox.ts

import package::lib::grid::element;
import package::lib::philox::{philox, uniform_from};
import constants::{WORKGROUP, COUNT, STREAM};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn random_uniform(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let quad = element(id, groups);
  if (quad * 4u >= COUNT) { return; }
  let seed = vec2u(clock[2], clock[3]);
  let numbers = uniform_from(philox(vec4u(quad, STREAM, clock[0], 0u), seed));
  for (var j = 0u; j < min(4u, COUNT - quad * 4u); j++) { output[quad * 4u + j] = numbers[j]; }
}
