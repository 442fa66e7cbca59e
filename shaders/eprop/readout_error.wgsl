// readout_error: leaky readout neurons, how far they are from what they should be, and half its square.
//
//   y = DECAY y + I      error = y - wanted      loss += error^2 / 2
//
// Layout     current, wanted, membrane y, error, loss [COUNT].
// Dispatch   one invocation per neuron.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, COUNT, DECAY};

@group(0) @binding(0) var<storage, read_write> current: array<f32>;
@group(0) @binding(1) var<storage, read_write> wanted: array<f32>;
@group(0) @binding(2) var<storage, read_write> membrane: array<f32>;
@group(0) @binding(3) var<storage, read_write> error: array<f32>;
@group(0) @binding(4) var<storage, read_write> loss: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn readout_error(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= COUNT) { return; }
  let y = DECAY * membrane[i] + current[i];
  let difference = y - wanted[i];
  membrane[i] = y;
  error[i] = difference;
  loss[i] += difference * difference / 2.0;
}
