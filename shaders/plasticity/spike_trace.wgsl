// spike_trace: what is left of spikes.
//
//   x = DECAY x + INCREMENT s      SATURATES: a spike sets x to INCREMENT
//
// Layout     spikes bits [ROWS][WORDS]; trace [ROWS][WIDTH].
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, WORDS, DECAY, INCREMENT};

@group(0) @binding(0) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(1) var<storage, read_write> trace: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn spike_trace(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let n = i % WIDTH;
  let fired = ((spikes[i / WIDTH * WORDS + n / 32u] >> (n % 32u)) & 1u) != 0u;
  let kept = DECAY * trace[i];
  @if(SATURATES) trace[i] = select(kept, f32(INCREMENT), fired);
  @else trace[i] = kept + select(0.0, f32(INCREMENT), fired);
}
