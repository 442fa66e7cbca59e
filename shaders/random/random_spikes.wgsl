// random_spikes: a spike with the probability given for each neuron, row by row.
//
//   s[r, n] = 1 if u < p[r % PROBABILITY_ROWS, n]
//   u = word n % 4 of philox((r ceil(WIDTH / 4) + n / 4, STREAM, step, 0), seed)
//
// Layout     probabilities [PROBABILITY_ROWS][WIDTH]; spikes bits [ROWS][WORDS]; clock u32 [4].
// Dispatch   one invocation per word of spikes.
// Numerics   exact: the same spikes on every backend.
// Reference  engine/random/philox.ts

import package::lib::grid::element;
import package::lib::philox::{philox, uniform_from};
import constants::{WORKGROUP, ROWS, WIDTH, WORDS, STREAM, PROBABILITY_ROWS};

const QUADS = (WIDTH + 3u) / 4u;

var<storage, read_write> probabilities: array<f32>;
var<storage, read_write> clock: array<u32>;
var<storage, read_write> spikes: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn random_spikes(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word >= ROWS * WORDS) { return; }
  let row = word / WORDS;
  let first = word % WORDS * 32u;
  let seed = vec2u(clock[2], clock[3]);
  var packed = 0u;
  for (var n = first; n < min(first + 32u, WIDTH); n += 4u) {
    let numbers = uniform_from(philox(vec4u(row * QUADS + n / 4u, STREAM, clock[0], 0u), seed));
    for (var j = 0u; j < min(4u, WIDTH - n); j++) {
      let fires = numbers[j] < probabilities[row % PROBABILITY_ROWS * WIDTH + n + j];
      packed |= u32(fires) << (n - first + j);
    }
  }
  spikes[word] = packed;
}
