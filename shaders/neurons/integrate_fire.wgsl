// integrate_fire: leaky integrate-and-fire neurons with parameters of their own, from a carried membrane.
//
//   u[t] = decay v[t-1] + (gain x[t] + drift)      s[t] = 1 if u[t] > threshold else 0
//   v[t] = u[t], and where the neuron fired:
//          RESET_VALUE     reset
//          RESET_SUBTRACT  u[t] - reset
//          RESET_DELAYED   u[t]; reset is taken off u[t+1]
//          RESET_NONE      neurons do not fire, the output is u
//
// Layout     drive, output [STEPS][ROWS][WIDTH]; parameters [5][WIDTH]: decay, gain, drift, threshold,
//            reset; membrane [ROWS][WIDTH], v before and after the play.
// Dispatch   one invocation per neuron of a row.
// Numerics   the driver may fuse products and sums, so a neuron within 1e-6 of the threshold may differ.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, STEPS, ROWS, WIDTH};

@group(0) @binding(0) var<storage, read_write> drive: array<f32>;
@group(0) @binding(1) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(2) var<storage, read_write> membrane: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn integrate_fire(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * WIDTH) { return; }
  let n = i % WIDTH;
  let decay = parameters[n];
  let gain = parameters[WIDTH + n];
  let drift = parameters[2u * WIDTH + n];
  let threshold = parameters[3u * WIDTH + n];
  let reset = parameters[4u * WIDTH + n];
  var v = membrane[i];
  for (var t = 0u; t < STEPS; t++) {
    let at = t * ROWS * WIDTH + i;
    var u = decay * v + (gain * drive[at] + drift);
    @if(RESET_DELAYED) u -= select(0.0, reset, v > threshold);
    let fires = u > threshold;
    @if(RESET_NONE) output[at] = u;
    @else output[at] = f32(fires);
    v = u;
    @if(RESET_VALUE) v = select(u, reset, fires);
    @if(RESET_SUBTRACT) v = u - select(0.0, reset, fires);
  }
  membrane[i] = v;
}
