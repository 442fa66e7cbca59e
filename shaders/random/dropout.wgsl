// dropout: a share of the numbers becomes 0, the others grow by 1 / (1 - SHARE).
//
//   destination[i] (+)= source[i] / (1 - SHARE) where u[i] >= SHARE, else 0
//   u[4 k + j] = upper 24 bits of word j of philox((k, STREAM, step, 0), seed) / 2^24
//
// Layout     source, destination [COUNT]; clock u32 [4]: step, slot, seed low, seed high.
// Dispatch   one invocation per four numbers.
// Numerics   the same numbers are left out on every backend; the others to the last bit or two.
// Reference  engine/backends/reference/memory-kernels.ts

import package::lib::grid::element;
import package::lib::philox::{philox, uniform_from};
import constants::{WORKGROUP, COUNT, STREAM, SHARE};

@group(0) @binding(0) var<storage, read_write> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> clock: array<u32>;
@group(0) @binding(2) var<storage, read_write> destination: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn dropout(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let quad = element(id, groups);
  if (quad * 4u >= COUNT) { return; }
  let seed = vec2u(clock[2], clock[3]);
  let numbers = uniform_from(philox(vec4u(quad, STREAM, clock[0], 0u), seed));
  for (var j = 0u; j < min(4u, COUNT - quad * 4u); j++) {
    let i = quad * 4u + j;
    var kept = select(0.0, source[i] / (1.0 - SHARE), numbers[j] >= SHARE);
    @if(ACCUMULATE) kept += destination[i];
    destination[i] = kept;
  }
}
