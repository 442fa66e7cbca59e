// delay_steps: words of any kind some time steps later, zero before.
//
//   target[t] = source[t - DELAY] where t >= DELAY, else 0
//
// Layout     source, later [STEPS][COUNT] words.
// Dispatch   one invocation per word.
// Numerics   exact.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, COUNT, DELAY};

@group(0) @binding(0) var<storage, read_write> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> later: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn delay_steps(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= STEPS * COUNT) { return; }
  if (i < DELAY * COUNT) { later[i] = 0u; } else { later[i] = source[i - DELAY * COUNT]; }
}
