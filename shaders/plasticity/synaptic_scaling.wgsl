// synaptic_scaling: weights of targets that fire too much shrink, of others grow.
//
//   w *= 1 + GAIN (SETPOINT - rate_j), then within LOW and HIGH, if the step is a multiple of INTERVAL
//
// Layout     clock u32 [4]: step first; rate [POST]; SPARSE: targets u32 [COUNT], otherwise the target of
//            synapse k is k % POST; weight [COUNT].
// Dispatch   one invocation per synapse.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, POST, GAIN, SETPOINT, INTERVAL, LOW, HIGH};

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> rate: array<f32>;
@if(TARGET) @group(0) @binding(2) var<storage, read_write> targets: array<u32>;
@group(0) @binding(3) var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn synaptic_scaling(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let k = element(id, groups);
  if (k >= COUNT || clock[0] % INTERVAL != 0u) { return; }
  @if(TARGET) let j = targets[k];
  @else let j = k % POST;
  weight[k] = clamp(weight[k] * (1.0 + GAIN * (SETPOINT - rate[j])), LOW, HIGH);
}
