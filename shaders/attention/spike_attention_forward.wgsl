// spike_attention_forward: causal attention over spikes, without softmax.
//
//   a[i, j] = (q_i . k_j) decay[h, i - j]  for j <= i      o_i = sum_j a[i, j] v_j
//
// Layout     qkv bits [STEPS][BATCH][SEQUENCE][WORDS] (lib/heads); decay [HEADS][SEQUENCE];
//            output [STEPS][BATCH][SEQUENCE][HEADS HEAD_WIDTH].
// Dispatch   one invocation per row, head and four features.
// Numerics   counts are exact, j in order; 1e-6 relative.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import package::lib::heads::{MODEL_WIDTH, VALUE, common_spikes, spike_quad};
import constants::{WORKGROUP, STEPS, BATCH, SEQUENCE, HEADS, HEAD_WIDTH};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> output: array<f32>;

const QUADS = (HEAD_WIDTH + 3u) / 4u;

@compute @workgroup_size(WORKGROUP)
fn spike_attention_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let row = i / (HEADS * QUADS);
  if (row >= STEPS * BATCH * SEQUENCE) { return; }
  let head = i / QUADS % HEADS;
  let feature = i % QUADS * 4u;
  let count = min(4u, HEAD_WIDTH - feature);
  let position = row % SEQUENCE;

  var sum = vec4f();
  for (var j = 0u; j <= position; j++) {
    let key_row = row - position + j;
    let score = f32(common_spikes(row, key_row, head)) * decay[head * SEQUENCE + position - j];
    sum += score * spike_quad(key_row, VALUE + head * HEAD_WIDTH + feature, count);
  }
  let at = row * MODEL_WIDTH + head * HEAD_WIDTH + feature;
  for (var c = 0u; c < count; c++) { output[at + c] = sum[c]; }
}
