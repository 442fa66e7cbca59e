// count_spikes: how many neurons fired in this step.
//
//   counts[t % CAPACITY] = bits set in spikes
//
// Layout     spikes bits [COUNT]; counts u32 [CAPACITY].
// Dispatch   one workgroup.
// Numerics   exact.
// Reference  engine/backends/reference/simulator-kernels.ts

import constants::{COUNT, CAPACITY};

const LANES = 64u;
const WORDS = (COUNT + 31u) / 32u;

@group(0) @binding(0) var<storage, read_write> clock: array<u32>;
@group(0) @binding(1) var<storage, read_write> spikes: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;

var<workgroup> total: atomic<u32>;

@compute @workgroup_size(LANES)
fn count_spikes(@builtin(local_invocation_index) lane: u32) {
  var own = 0u;
  for (var word = lane; word < WORDS; word += LANES) { own += countOneBits(spikes[word]); }
  atomicAdd(&total, own);
  workgroupBarrier();
  if (lane == 0u) { counts[clock[0] % CAPACITY] = atomicLoad(&total); }
}
