// spike_attention_backward: gradients of spike_attention_forward with respect to q, k and v.
//
//   dq_i = sum_{j <= i} ds[i, j] k_j      dk_j = sum_{i >= j} ds[i, j] q_i
//   dv_j = sum_{i >= j} (q_i . k_j) decay[h, i - j] do_i
//
// Layout     qkv bits [rows][WORDS] (lib/heads); gradient [rows][HEADS HEAD_WIDTH]; score_gradient ds as
//            spike_attention_backward_scores writes it; qkv_gradient [rows][3 HEADS HEAD_WIDTH].
// Dispatch   one invocation per row, part (q, k, v), head and four features.
// Numerics   rows in order; 1e-6 relative.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import package::lib::heads::{MODEL_WIDTH, QUERY, KEY, common_spikes, spike_quad};
import constants::{WORKGROUP, STEPS, BATCH, SEQUENCE, HEADS, HEAD_WIDTH};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> gradient: array<f32>;
var<storage, read_write> score_gradient: array<f32>;
var<storage, read_write> qkv_gradient: array<f32>;

const QUADS = (HEAD_WIDTH + 3u) / 4u;

struct Place { head: u32, feature: u32, count: u32, start: u32, position: u32, scores: u32 }

fn query_gradient(p: Place) -> vec4f {
  var sum = vec4f();
  for (var j = 0u; j <= p.position; j++) {
    sum += score_gradient[p.scores + p.position * SEQUENCE + j]
      * spike_quad(p.start + j, KEY + p.feature, p.count);
  }
  return sum;
}

fn key_gradient(p: Place) -> vec4f {
  var sum = vec4f();
  for (var i = p.position; i < SEQUENCE; i++) {
    sum += score_gradient[p.scores + i * SEQUENCE + p.position]
      * spike_quad(p.start + i, QUERY + p.feature, p.count);
  }
  return sum;
}

fn value_gradient(p: Place) -> vec4f {
  var sum = vec4f();
  for (var i = p.position; i < SEQUENCE; i++) {
    let matches = common_spikes(p.start + i, p.start + p.position, p.head);
    if (matches == 0u) { continue; }
    let score = f32(matches) * decay[p.head * SEQUENCE + i - p.position];
    let at = (p.start + i) * MODEL_WIDTH + p.feature;
    for (var c = 0u; c < p.count; c++) { sum[c] += score * gradient[at + c]; }
  }
  return sum;
}

@compute @workgroup_size(WORKGROUP)
fn spike_attention_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let row = i / (3u * HEADS * QUADS);
  if (row >= STEPS * BATCH * SEQUENCE) { return; }
  let part = i / (HEADS * QUADS) % 3u;
  let head = i / QUADS % HEADS;
  let within = i % QUADS * 4u;
  let position = row % SEQUENCE;
  let sequence = row / SEQUENCE;
  let place = Place(head, head * HEAD_WIDTH + within, min(4u, HEAD_WIDTH - within),
    row - position, position, (sequence * HEADS + head) * SEQUENCE * SEQUENCE);

  var sum = vec4f();
  switch part {
    case 0u: { sum = query_gradient(place); }
    case 1u: { sum = key_gradient(place); }
    default: { sum = value_gradient(place); }
  }
  let at = row * 3u * MODEL_WIDTH + part * MODEL_WIDTH + place.feature;
  for (var c = 0u; c < place.count; c++) { qkv_gradient[at + c] = sum[c]; }
}
