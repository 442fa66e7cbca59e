// candidate_join_forward: the score of each row's target in front of those of the candidates, which are
// corrected for being drawn; a candidate that is the target is left out.
//
//   logits[r, 0] = query_r . codes_r
//   logits[r, 1 + n] = scores[r, n] + CORRECTION, or -1e30 where candidate n is the target
//
// Layout     scores [ROWS][DRAWN]; query, codes [ROWS][RANK]; targets [ROWS]; candidates [DRAWN]; logits
//            [ROWS][DRAWN + 1].
// Dispatch   one invocation per logit.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, DRAWN, RANK, CORRECTION};

const EXCLUDED = -1e30;

var<storage, read_write> scores: array<f32>;
var<storage, read_write> query: array<f32>;
var<storage, read_write> codes: array<f32>;
var<storage, read_write> targets: array<u32>;
var<storage, read_write> candidates: array<u32>;
var<storage, read_write> logits: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn candidate_join_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * (DRAWN + 1u)) { return; }
  let row = i / (DRAWN + 1u);
  let column = i % (DRAWN + 1u);
  if (column == 0u) {
    var sum = 0.0;
    for (var k = row * RANK; k < (row + 1u) * RANK; k++) { sum += query[k] * codes[k]; }
    logits[i] = sum;
    return;
  }
  let score = scores[row * DRAWN + column - 1u] + CORRECTION;
  logits[i] = select(score, EXCLUDED, candidates[column - 1u] == targets[row]);
}
