// spike_count: add each neuron's spikes over all rows to its counter.
//
//   counts[n] += sum_r spikes[r, n]
//
// Layout     spikes bits [ROWS][WORDS]; counts u32 [WIDTH].
// Dispatch   one invocation per neuron and 64 rows.
// Numerics   exact: integer atomics add up to the same in any order.
// Reference  engine/backends/reference/neuron-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, WORDS};

const CHUNK = 64u;

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn spike_count(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let neuron = i % WIDTH;
  let first = i / WIDTH * CHUNK;
  if (first >= ROWS) { return; }
  var sum = 0u;
  for (var row = first; row < min(first + CHUNK, ROWS); row++) {
    sum += (spikes[row * WORDS + neuron / 32u] >> (neuron % 32u)) & 1u;
  }
  atomicAdd(&counts[neuron], sum);
}
