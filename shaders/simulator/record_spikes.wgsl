// record_spikes: keeps the spikes of this step.
//
//   history[t % CAPACITY] = spikes
//
// Layout     spikes bits [COUNT]; history bits [CAPACITY][COUNT].
// Dispatch   one invocation per word of spikes.
// Numerics   exact.
// Reference  engine/backends/reference/simulator-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, CAPACITY};

const WORDS = (COUNT + 31u) / 32u;

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(2) var<storage, read_write> history: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn record_spikes(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let word = element(id, groups);
  if (word < WORDS) { history[clock[0] % CAPACITY * WORDS + word] = spikes[word]; }
}
