// codebook_rows: codes of tokens as floats.
//
//   output[r, k] = SCALE Q[id_r, k]
//
// Layout     ids [ROWS]; codebook signed bytes [VOCABULARY][BYTE_WORDS], four a word; output [ROWS][RANK].
// Dispatch   one invocation per element.
// Numerics   one rounding. An id outside the vocabulary reads its last code.
// Reference  engine/backends/reference/routing-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, VOCABULARY, RANK, BYTE_WORDS, SCALE};

var<storage, read_write> ids: array<u32>;
var<storage, read_write> codebook: array<u32>;
var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn codebook_rows(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= ROWS * RANK) { return; }
  let token = min(ids[i / RANK], VOCABULARY - 1u);
  let k = i % RANK;
  let word = codebook[token * BYTE_WORDS + k / 4u];
  output[i] = SCALE * f32(i32(word << (24u - k % 4u * 8u)) >> 24u);
}
