// event_mix_backward: gradients of the spikes and gates of event_mix_forward; that of the stream is the
// gradient itself.
//
//   spikeGradient = FACTOR gate mask gradient      gateGradient = FACTOR sum_i gradient_i mask_i s_i
//
// Layout     gradient [ROWS][WIDTH]; spikeGradient [ACTIVE][ROWS][WIDTH]; gates, gateGradient [ACTIVE][ROWS];
//            spikes and mask bits [ACTIVE][ROWS][WORDS].
// Dispatch   one row per event; LANES invocations share it (lib/rows).
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/sparse-kernels.ts

import package::lib::rows::{lane_of, row_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, ACTIVE, WIDTH, WORDS, FACTOR};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(2) var<storage, read_write> gates: array<f32>;
@group(0) @binding(3) var<storage, read_write> spike_gradient: array<f32>;
@group(0) @binding(4) var<storage, read_write> gate_gradient: array<f32>;
@if(MASK) @group(0) @binding(5) var<storage, read_write> mask: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn event_mix_backward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let event = row_of(group, groups, local);
  let lane = lane_of(local);
  if (event >= ACTIVE * ROWS) { return; }
  var sum = 0.0;
  for (var neuron = lane; neuron < WIDTH; neuron += LANES) {
    let place = event * WORDS + neuron / 32u;
    var g = FACTOR * gradient[event % ROWS * WIDTH + neuron];
    @if(MASK) if (((mask[place] >> (neuron % 32u)) & 1u) == 0u) { g = 0.0; }
    spike_gradient[event * WIDTH + neuron] = g * gates[event];
    if (((spikes[place] >> (neuron % 32u)) & 1u) == 1u) { sum += g; }
  }
  let total = row_sum(sum, lane);
  if (lane == 0u) { gate_gradient[event] = total; }
}
