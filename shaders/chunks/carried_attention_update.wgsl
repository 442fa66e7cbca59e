// carried_attention_update: the state after a chunk from that before it, SEQUENCE steps of
// spike_attention_step at once.
//
//   state = kept(SEQUENCE) state + sum_j kept(SEQUENCE - 1 - j) k_j v_j^T      kept(n) = decay[h, n] / decay[h, 0]
//
// Layout     qkv bits [STEPS][BATCH][SEQUENCE][WORDS] (lib/heads); decay [HEADS][SEQUENCE + 1];
//            state [STEPS][BATCH][HEADS][HEAD_WIDTH][HEAD_WIDTH], key by value.
// Dispatch   one invocation per element of the state.
// Numerics   tokens in order; 1e-6 relative.
// Reference  engine/backends/reference/chronospike-kernels.ts

import package::lib::grid::element;
import package::lib::heads::{KEY, VALUE, spikes_at};
import constants::{WORKGROUP, STEPS, BATCH, SEQUENCE, HEADS, HEAD_WIDTH};

var<storage, read_write> decay: array<f32>;
var<storage, read_write> state: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn carried_attention_update(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let place = i / (HEAD_WIDTH * HEAD_WIDTH);
  if (place >= STEPS * BATCH * HEADS) { return; }
  let head = place % HEADS;
  let key = KEY + head * HEAD_WIDTH + i / HEAD_WIDTH % HEAD_WIDTH;
  let value = VALUE + head * HEAD_WIDTH + i % HEAD_WIDTH;
  let start = place / HEADS * SEQUENCE;
  let factors = head * (SEQUENCE + 1u);

  var sum = decay[factors + SEQUENCE] * state[i];
  for (var j = 0u; j < SEQUENCE; j++) {
    if ((spikes_at(start + j, key, 1u) & spikes_at(start + j, value, 1u)) == 1u) {
      sum += decay[factors + SEQUENCE - 1u - j];
    }
  }
  state[i] = sum / decay[factors];
}
