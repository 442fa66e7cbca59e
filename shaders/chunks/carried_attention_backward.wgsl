// carried_attention_backward: gradient of carried_attention_forward with respect to the queries. The
// state is a constant: no gradient reaches the chunks before.
//
//   dq_i += decay[h, i + 1] state . do_i
//
// Layout     decay [HEADS][SEQUENCE + 1]; state [STEPS][BATCH][HEADS][HEAD_WIDTH][HEAD_WIDTH], key by value;
//            gradient [STEPS][BATCH][SEQUENCE][HEADS HEAD_WIDTH]; qkv_gradient, thrice as wide: q, k, v.
// Dispatch   one invocation per row, head and query feature.
// Numerics   values in order; 1e-6 relative.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, BATCH, SEQUENCE, HEADS, HEAD_WIDTH};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> state: array<f32>;
var<storage, read_write> gradient: array<f32>;
var<storage, read_write> qkv_gradient: array<f32>;

const MODEL_WIDTH = HEADS * HEAD_WIDTH;

@compute @workgroup_size(WORKGROUP)
fn carried_attention_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let row = i / MODEL_WIDTH;
  if (row >= STEPS * BATCH * SEQUENCE) { return; }
  let feature = i % MODEL_WIDTH;
  let head = feature / HEAD_WIDTH;
  let kept = ((row / SEQUENCE * HEADS + head) * HEAD_WIDTH + feature % HEAD_WIDTH) * HEAD_WIDTH;

  var sum = 0.0;
  for (var e = 0u; e < HEAD_WIDTH; e++) {
    sum += state[kept + e] * gradient[row * MODEL_WIDTH + head * HEAD_WIDTH + e];
  }
  qkv_gradient[3u * row * MODEL_WIDTH + feature] +=
    decay[head * (SEQUENCE + 1u) + row % SEQUENCE + 1u] * sum;
}
