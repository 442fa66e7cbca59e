// inject_poisson: the weight of as many events as a Poisson process gives a neuron in a step.
//
//   k = how many of the thresholds a random word reaches      drive[FIRST + i] += WEIGHT k
//
// The word of neuron i is word i % 4 of philox((i / 4, STREAM, t, 0), seed); threshold n is 2^32 times the
// probability of at most n events.
//
// Dispatch   one invocation per four neurons of the range.
// Numerics   k is exact: the same events on every backend.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import package::lib::philox::philox;
import constants::{WORKGROUP, FIRST, COUNT, STREAM, WEIGHT, ENTRIES};

var<storage, read_write> clock: array<u32>;
var<storage, read_write> table: array<u32>;
var<storage, read_write> drive: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn inject_poisson(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let quad = element(id, groups);
  if (quad * 4u >= COUNT) { return; }
  let words = philox(vec4u(quad, STREAM, clock[0], 0u), vec2u(clock[2], clock[3]));
  for (var j = 0u; j < min(4u, COUNT - quad * 4u); j++) {
    var events = 0u;
    while (events < ENTRIES && words[j] >= table[events]) { events++; }
    drive[FIRST + quad * 4u + j] += WEIGHT * f32(events);
  }
}
