// slot_spike_count: add the spikes of each row to the count of the sequence it belongs to.
//
//   counts[slot[r], LAYER] += sum_t,n spikes[t, r, n]      from zero where a sequence begins
//
// Layout     spikes bits [STEPS][ROWS][WORDS]; slots [ROWS] (lib/slots); counts u32 [slots][LAYERS].
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   exact up to 2^24 spikes of a row at once.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import package::lib::slots::{slot_of, is_fresh};
import constants::{WORKGROUP, LANES, STEPS, ROWS, WORDS, LAYERS, LAYER};
@if(SUBGROUPS) enable subgroups;

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> slots: array<u32>;
var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn slot_spike_count(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);

  var mine = 0u;
  for (var i = lane; i < STEPS * WORDS; i += LANES) {
    mine += countOneBits(spikes[(i / WORDS * ROWS + row) * WORDS + i % WORDS]);
  }
  let sum = u32(row_sum(f32(mine), lane));

  let sequence = slots[row];
  let at = slot_of(sequence) * LAYERS + LAYER;
  if (lane == 0u) { counts[at] = sum + select(counts[at], 0u, is_fresh(sequence)); }
}
