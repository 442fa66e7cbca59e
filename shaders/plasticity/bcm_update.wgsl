// bcm_update: the rule of Bienenstock, Cooper and Munro for the synapses of sources that fired.
//
//   w += RATE y_j (y_j - theta_j), then within LOW and HIGH
//
// Layout     spikes bits of PRE sources; activity y and threshold theta [POST]; SPARSE: row_start
//            u32 [PRE + 1], targets u32 and weight [synapses]; otherwise weight [PRE][POST].
// Dispatch   LANES invocations per source (lib/rows).
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::rows::{row_of, lane_of};
import constants::{WORKGROUP, LANES, PRE, POST, RATE, LOW, HIGH};

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> activity: array<f32>;
var<storage, read_write> threshold: array<f32>;
@if(ROW_START) var<storage, read_write> row_start: array<u32>;
@if(ROW_START) var<storage, read_write> targets: array<u32>;
var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn bcm_update(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = row_of(group, groups, local);
  if (i >= PRE) { return; }
  if (((spikes[i / 32u] >> (i % 32u)) & 1u) == 0u) { return; }

  @if(ROW_START) let first = row_start[i];
  @else let first = i * POST;
  @if(ROW_START) let end = row_start[i + 1u];
  @else let end = first + POST;
  for (var k = first + lane_of(local); k < end; k += LANES) {
    @if(ROW_START) let j = targets[k];
    @else let j = k - first;
    let y = activity[j];
    weight[k] = clamp(weight[k] + RATE * y * (y - threshold[j]), LOW, HIGH);
  }
}
