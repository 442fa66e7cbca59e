// spike_attention_backward_scores: gradient of spike_attention_forward with respect to q_i . k_j.
//
//   score_gradient[i, j] = decay[h, i - j] sum of do_i over set bits of v_j  for j <= i, else 0
//
// Layout     qkv bits [rows][WORDS] (lib/heads); gradient [rows][HEADS HEAD_WIDTH];
//            score_gradient [STEPS][BATCH][HEADS][SEQUENCE][SEQUENCE], row i, column j.
// Dispatch   one invocation per score.
// Numerics   features in order; 1e-6 relative.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import package::lib::heads::{MODEL_WIDTH, HEAD_WORDS, VALUE, spikes_at};
import constants::{WORKGROUP, STEPS, BATCH, SEQUENCE, HEADS, HEAD_WIDTH};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> gradient: array<f32>;
var<storage, read_write> score_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn spike_attention_backward_scores(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let at = element(id, groups);
  if (at >= STEPS * BATCH * HEADS * SEQUENCE * SEQUENCE) { return; }
  let j = at % SEQUENCE;
  let i = at / SEQUENCE % SEQUENCE;
  let head = at / (SEQUENCE * SEQUENCE) % HEADS;
  let start = at / (SEQUENCE * SEQUENCE * HEADS) * SEQUENCE;
  if (j > i) {
    score_gradient[at] = 0.0;
    return;
  }
  var sum = 0.0;
  for (var w = 0u; w < HEAD_WORDS; w++) {
    let first = head * HEAD_WIDTH + w * 32u;
    var events = spikes_at(start + j, VALUE + first, min(32u, HEAD_WIDTH - w * 32u));
    while (events != 0u) {
      sum += gradient[(start + i) * MODEL_WIDTH + first + countTrailingZeros(events)];
      events &= events - 1u;
    }
  }
  score_gradient[at] = sum * decay[head * SEQUENCE + i - j];
}
