// spike_attention_step: spike_attention_forward one token at a time, with a state of constant size.
//
//   state = (decay[h, 1] / decay[h, 0]) state + k v^T      o = decay[h, 0] q . state
//
// Layout     qkv bits [STEPS][BATCH][WORDS] (lib/heads); decay [HEADS][2]: 1 / sqrt(HEAD_WIDTH) and that
//            times exp(-1 / tau); slots [BATCH] (lib/slots); output [STEPS][BATCH][HEADS HEAD_WIDTH];
//            state [STEPS][SLOTS][HEADS][HEAD_WIDTH][HEAD_WIDTH], key by value.
// Dispatch   one invocation per row, head and value feature: a column of the state.
// Numerics   keys in order; agrees with the parallel form to 1e-5 relative over thousands of tokens.
// Reference  engine/backends/reference/attention-kernels.ts

import package::lib::grid::element;
import package::lib::heads::{MODEL_WIDTH, QUERY, KEY, VALUE, spikes_at};
import package::lib::slots::{slot_of, is_fresh};
import constants::{WORKGROUP, STEPS, BATCH, HEADS, HEAD_WIDTH, SLOTS};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> slots: array<u32>;
var<storage, read_write> state: array<f32>;
var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn spike_attention_step(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * BATCH * MODEL_WIDTH) { return; }
  let row = i / MODEL_WIDTH;
  let head = i % MODEL_WIDTH / HEAD_WIDTH;
  let feature = i % HEAD_WIDTH;
  let first = head * HEAD_WIDTH;
  let sequence = slots[row % BATCH];
  let kept = (row / BATCH * SLOTS + slot_of(sequence)) * HEADS + head;
  let keep = select(decay[2u * head + 1u] / decay[2u * head], 0.0, is_fresh(sequence));
  let value = f32(spikes_at(row, VALUE + first + feature, 1u));

  var sum = 0.0;
  for (var d = 0u; d < HEAD_WIDTH; d++) {
    let at = (kept * HEAD_WIDTH + d) * HEAD_WIDTH + feature;
    let next = keep * state[at] + f32(spikes_at(row, KEY + first + d, 1u)) * value;
    state[at] = next;
    sum += f32(spikes_at(row, QUERY + first + d, 1u)) * next;
  }
  output[i] = sum * decay[2u * head];
}
