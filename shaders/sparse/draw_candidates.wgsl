// draw_candidates: tokens drawn uniformly, with replacement, four a draw of Philox.
//
//   ids[4 k + j] = word j of philox((k, STREAM, step, 0), seed) VOCABULARY / 2^32
//
// Layout     ids [COUNT]; clock u32 [4]: step, slot, seed low, seed high.
// Dispatch   one invocation per four tokens.
// Numerics   exact: the same tokens on every backend.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import package::lib::philox::{high_word, philox};
import constants::{WORKGROUP, COUNT, VOCABULARY, STREAM};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> ids: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn draw_candidates(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let quad = element(id, groups);
  if (quad * 4u >= COUNT) { return; }
  let words = philox(vec4u(quad, STREAM, clock[0], 0u), vec2u(clock[2], clock[3]));
  for (var j = 0u; j < min(4u, COUNT - quad * 4u); j++) {
    ids[quad * 4u + j] = high_word(words[j], VOCABULARY);
  }
}
