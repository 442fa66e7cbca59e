// stdp_depress: weakens the synapses of sources that fired, by the trace of their targets.
//
//   w -= y_j (PAIR + TRIPLET SLOW_DECAY r2_i) (w - LOW if SOFT), then within LOW and HIGH
//
// The second term is there with a slow trace r2, which holds the step before.
//
// Layout     spikes bits of PRE sources; trace [POST]; slow [PRE]; SPARSE: row_start u32 [PRE + 1],
//            targets u32 and weight [synapses]; otherwise weight [PRE][POST].
// Dispatch   LANES invocations per source (lib/rows).
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::rows::{row_of, lane_of};
import constants::{WORKGROUP, LANES, PRE, POST, PAIR, TRIPLET, SLOW_DECAY, LOW, HIGH};

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> trace: array<f32>;
@if(SLOW) var<storage, read_write> slow: array<f32>;
@if(ROW_START) var<storage, read_write> row_start: array<u32>;
@if(ROW_START) var<storage, read_write> targets: array<u32>;
var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn stdp_depress(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = row_of(group, groups, local);
  if (i >= PRE) { return; }
  if (((spikes[i / 32u] >> (i % 32u)) & 1u) == 0u) { return; }

  @if(SLOW) let amplitude = PAIR + TRIPLET * SLOW_DECAY * slow[i];
  @else let amplitude = f32(PAIR);
  @if(ROW_START) let first = row_start[i];
  @else let first = i * POST;
  @if(ROW_START) let end = row_start[i + 1u];
  @else let end = first + POST;
  for (var k = first + lane_of(local); k < end; k += LANES) {
    @if(ROW_START) let j = targets[k];
    @else let j = k - first;
    let w = weight[k];
    @if(SOFT) let distance = w - LOW;
    @else let distance = 1.0;
    weight[k] = clamp(w - distance * amplitude * trace[j], LOW, HIGH);
  }
}
