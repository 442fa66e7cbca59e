// expert_means: means over the tokens of each expert of its input, of the recurrent spikes it received and of those it
// fired; from rest at the beginning of each sequence.
//
// Layout     input [ROWS][WIDTH]; spikes bits [ACTIVE][ROWS][WORDS]; experts [ACTIVE][ROWS]; means
//            [EXPERTS][3][WIDTH].
// Dispatch   one invocation per column.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, ACTIVE, EXPERTS, WIDTH, WORDS, SEQUENCE};

var<storage, read_write> input: array<f32>;
var<storage, read_write> spikes: array<u32>;
var<storage, read_write> experts: array<u32>;
var<storage, read_write> means: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn expert_means(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let column = element(id, groups);
  if (column >= WIDTH) { return; }
  var counts: array<f32, EXPERTS>;
  var sums: array<vec3f, EXPERTS>;
  var last: array<f32, EXPERTS>;
  for (var row = 0u; row < ROWS; row++) {
    for (var e = 0u; row % SEQUENCE == 0u && e < EXPERTS; e++) { last[e] = 0.0; }
    for (var event = row; event < ACTIVE * ROWS; event += ROWS) {
      let e = experts[event];
      if (e >= EXPERTS) { continue; }
      let fired = f32((spikes[event * WORDS + column / 32u] >> (column % 32u)) & 1u);
      sums[e] += vec3f(input[row * WIDTH + column], last[e], fired);
      counts[e] += 1.0;
      last[e] = fired;
    }
  }
  for (var e = 0u; e < EXPERTS; e++) {
    let mean = sums[e] / max(1.0, counts[e]);
    for (var part = 0u; part < 3u; part++) { means[(e * 3u + part) * WIDTH + column] = mean[part]; }
  }
}
