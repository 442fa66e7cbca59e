// eprop_update: eligibilities of one step, filtered as the readout filters spikes, times what each
// neuron should have done (e-prop; Bellec et al. 2020, equations 21 to 28).
//
//   e = psi_j z_i                             ADAPTIVE: e = psi_j (z_i - ADAPTATION_GAIN eps)
//   c = DECAY c + e      g += L_j c                     eps = ADAPTATION_DECAY eps + e
//
// Layout     trace z [ROWS][PRE]; slope psi, signal L [ROWS][POST]; eligibility c, adaptation eps
//            [ROWS][PRE][POST]; gradient g [PRE][POST].
// Dispatch   one invocation per synapse, which goes through the rows.
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, PRE, POST, DECAY};
@if(ADAPTIVE) import constants::{ADAPTATION_DECAY, ADAPTATION_GAIN};

@group(0) @binding(0) var<storage, read_write> trace: array<f32>;
@group(0) @binding(1) var<storage, read_write> slope: array<f32>;
@group(0) @binding(2) var<storage, read_write> signal: array<f32>;
@group(0) @binding(3) var<storage, read_write> eligibility: array<f32>;
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;
@if(ADAPTIVE) @group(0) @binding(5) var<storage, read_write> adaptation: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn eprop_update(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let k = element(id, groups);
  if (k >= PRE * POST) { return; }
  let i = k / POST;
  let j = k % POST;
  var sum = gradient[k];
  for (var b = 0u; b < ROWS; b++) {
    let at = b * PRE * POST + k;
    let neuron = b * POST + j;
    @if(ADAPTIVE) let e = slope[neuron] * (trace[b * PRE + i] - ADAPTATION_GAIN * adaptation[at]);
    @else let e = slope[neuron] * trace[b * PRE + i];
    @if(ADAPTIVE) adaptation[at] = ADAPTATION_DECAY * adaptation[at] + e;
    let c = DECAY * eligibility[at] + e;
    eligibility[at] = c;
    sum += signal[neuron] * c;
  }
  gradient[k] = sum;
}
