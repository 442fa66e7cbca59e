// carried_attention_forward: what the tokens of a chunk see of all chunks before it, added to what they
// see of each other.
//
//   o_i += decay[h, i + 1] q_i . state
//
// Layout     qkv bits [STEPS][BATCH][SEQUENCE][WORDS] (lib/heads); decay [HEADS][SEQUENCE + 1];
//            state [STEPS][BATCH][HEADS][HEAD_WIDTH][HEAD_WIDTH], key by value, as of the last token before
//            the chunk; output [STEPS][BATCH][SEQUENCE][HEADS HEAD_WIDTH].
// Dispatch   one invocation per row, head and value feature.
// Numerics   keys in order; 1e-6 relative.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import package::lib::heads::{MODEL_WIDTH, HEAD_WORDS, QUERY, spikes_at};
import constants::{WORKGROUP, STEPS, BATCH, SEQUENCE, HEADS, HEAD_WIDTH};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> state: array<f32>;
var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn carried_attention_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let row = i / MODEL_WIDTH;
  if (row >= STEPS * BATCH * SEQUENCE) { return; }
  let head = i % MODEL_WIDTH / HEAD_WIDTH;
  let kept = (row / SEQUENCE * HEADS + head) * HEAD_WIDTH * HEAD_WIDTH + i % HEAD_WIDTH;

  var sum = 0.0;
  for (var w = 0u; w < HEAD_WORDS; w++) {
    let first = w * 32u;
    var events = spikes_at(row, QUERY + head * HEAD_WIDTH + first, min(32u, HEAD_WIDTH - first));
    while (events != 0u) {
      sum += state[kept + (first + countTrailingZeros(events)) * HEAD_WIDTH];
      events &= events - 1u;
    }
  }
  output[i] += decay[head * (SEQUENCE + 1u) + row % SEQUENCE + 1u] * sum;
}
