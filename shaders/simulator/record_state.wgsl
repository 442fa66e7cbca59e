// record_state: keeps a state of chosen neurons as it is after this step.
//
//   history[t % CAPACITY][i] = states[ROW][chosen[i]]
//
// Layout     states [rows][NEURONS]; chosen u32 [COUNT]; history [CAPACITY][COUNT].
// Dispatch   one invocation per chosen neuron.
// Numerics   exact.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, CAPACITY, NEURONS, ROW};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> states: array<f32>;
@group(0) @binding(2) var<storage, read_write> chosen: array<u32>;
@group(0) @binding(3) var<storage, read_write> history: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn record_state(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i < COUNT) {
    history[clock[0] % CAPACITY * COUNT + i] = states[ROW * NEURONS + chosen[i]];
  }
}
