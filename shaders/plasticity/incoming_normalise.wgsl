// incoming_normalise: scales the weights of each target to a sum of TOTAL; none where there is nothing.
//
//   w_ij *= TOTAL / sum_i w_ij
//
// Layout     SPARSE: column_start u32 [POST + 1], synapse_of u32 and weight [synapses]; otherwise
//            weight [PRE][POST].
// Dispatch   LANES invocations per target (lib/rows).
// Numerics   1e-5 relative to the reference: sums of PRE terms.
// Reference  engine/backends/reference/plasticity-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, PRE, POST, TOTAL};
@if(SUBGROUPS) enable subgroups;

@if(COLUMN_START) var<storage, read_write> column_start: array<u32>;
@if(COLUMN_START) var<storage, read_write> synapse_of: array<u32>;
var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn incoming_normalise(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let j = row_of(group, groups, local);
  if (j >= POST) { return; }
  let lane = lane_of(local);
  @if(COLUMN_START) let first = column_start[j];
  @else let first = 0u;
  @if(COLUMN_START) let end = column_start[j + 1u];
  @else let end = u32(PRE);

  var part = 0.0;
  for (var c = first + lane; c < end; c += LANES) { part += weight[place_of(c, j)]; }
  let sum = row_sum(part, lane);
  if (sum <= 0.0) { return; }
  for (var c = first + lane; c < end; c += LANES) { weight[place_of(c, j)] *= TOTAL / sum; }
}

@if(COLUMN_START) fn place_of(c: u32, j: u32) -> u32 { return synapse_of[c]; }

@if(!COLUMN_START) fn place_of(c: u32, j: u32) -> u32 { return c * POST + j; }
