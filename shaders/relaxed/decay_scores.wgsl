// decay_scores: scores of queries and keys become weights: what lies far back counts less, the future nothing.
//
//   scores[i, j] = decay[h, i - j] scores[i, j]  for j <= i, else 0
//
// Layout     decay [HEADS][SEQUENCE]; scores [ROWS][SEQUENCE], rows run through the queries of all heads.
// Dispatch   one invocation per score.
// Numerics   exact but for one rounding.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, SEQUENCE, HEADS};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> scores: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn decay_scores(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let at = element(id, groups);
  if (at >= ROWS * SEQUENCE) { return; }
  let j = at % SEQUENCE;
  let i = at / SEQUENCE % SEQUENCE;
  let head = at / (SEQUENCE * SEQUENCE) % HEADS;
  var score = 0.0;
  if (j <= i) { score = decay[head * SEQUENCE + i - j] * scores[at]; }
  scores[at] = score;
}
