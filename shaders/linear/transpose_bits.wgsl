// transpose_bits: bits by row to bits by neuron, a 32 x 32 block at a time.
//
//   bit r of transposed[n] = bit n of spikes[r]
//
// Layout     spikes bits [ROWS][WORDS], WIDTH neurons; transposed bits [WIDTH][ceil(ROWS / 32)].
// Dispatch   one invocation per block; swaps halves of ever smaller squares (Warren, Hacker's Delight, 7-3).
// Numerics   exact.
// Reference  engine/backends/reference/linear-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, WORDS};

const ROW_WORDS = (ROWS + 31u) / 32u;

var<storage, read_write> spikes: array<u32>;
var<storage, read_write> transposed: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn transpose_bits(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= WORDS * ROW_WORDS) { return; }
  let word = i % WORDS;
  let row_word = i / WORDS;

  var block: array<u32, 32>;
  for (var r = 0u; r < min(32u, ROWS - row_word * 32u); r++) {
    block[r] = spikes[(row_word * 32u + r) * WORDS + word];
  }
  var lower = 0x0000FFFFu;
  for (var size = 16u; size > 0u; size /= 2u) {
    for (var r = 0u; r < 32u; r = (r + size + 1u) & ~size) {
      let swap = ((block[r] >> size) ^ block[r + size]) & lower;
      block[r] ^= swap << size;
      block[r + size] ^= swap;
    }
    lower ^= lower << (size / 2u);
  }
  for (var n = 0u; n < min(32u, WIDTH - word * 32u); n++) {
    transposed[(word * 32u + n) * ROW_WORDS + row_word] = block[n];
  }
}
