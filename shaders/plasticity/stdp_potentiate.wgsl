// stdp_potentiate: strengthens the synapses of targets that fired, by the trace of their sources.
//
//   w += x_i (PAIR + TRIPLET SLOW_DECAY o2_j) (HIGH - w if SOFT), then within LOW and HIGH
//
// The second term is there with a slow trace o2, which holds the step before.
//
// Layout     spikes bits of POST targets; trace [PRE]; slow [POST]; SPARSE: column_start u32 [POST + 1],
//            synapse_of and source u32 [synapses], weight [synapses]; otherwise weight [PRE][POST].
// Dispatch   LANES invocations per target (lib/rows).
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::rows::{row_of, lane_of};
import constants::{WORKGROUP, LANES, PRE, POST, PAIR, TRIPLET, SLOW_DECAY, LOW, HIGH};

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> trace: array<f32>;
@if(SLOW) var<storage, read_write> slow: array<f32>;
@if(COLUMN_START) var<storage, read_write> column_start: array<u32>;
@if(COLUMN_START) var<storage, read_write> synapse_of: array<u32>;
@if(COLUMN_START) var<storage, read_write> source: array<u32>;
var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn stdp_potentiate(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let j = row_of(group, groups, local);
  if (j >= POST) { return; }
  if (((spikes[j / 32u] >> (j % 32u)) & 1u) == 0u) { return; }

  @if(SLOW) let amplitude = PAIR + TRIPLET * SLOW_DECAY * slow[j];
  @else let amplitude = f32(PAIR);
  @if(COLUMN_START) let first = column_start[j];
  @else let first = 0u;
  @if(COLUMN_START) let end = column_start[j + 1u];
  @else let end = u32(PRE);
  for (var c = first + lane_of(local); c < end; c += LANES) {
    @if(COLUMN_START) let k = synapse_of[c];
    @else let k = c * POST + j;
    @if(COLUMN_START) let i = source[c];
    @else let i = c;
    let w = weight[k];
    @if(SOFT) let distance = HIGH - w;
    @else let distance = 1.0;
    weight[k] = clamp(w + distance * amplitude * trace[i], LOW, HIGH);
  }
}
