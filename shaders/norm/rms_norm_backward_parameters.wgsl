// rms_norm_backward_parameters: partial sums of the gradient of the gain over CHUNK rows.
//
//   gain_partial[k, c] = sum of dy x r over rows of chunk k
//
// Layout     input, gradient [ROWS][WIDTH]; statistics [ROWS]: r; gain_partial [chunks][WIDTH].
// Dispatch   one invocation per column and chunk.
// Numerics   rows of a chunk are added in order.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, CHUNK};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> statistics: array<f32>;
@group(0) @binding(2) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(3) var<storage, read_write> gain_partial: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn rms_norm_backward_parameters(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let column = i % WIDTH;
  let first = i / WIDTH * CHUNK;
  if (first >= ROWS) { return; }
  var sum = 0.0;
  for (var row = first; row < min(first + CHUNK, ROWS); row++) {
    let at = row * WIDTH + column;
    sum += gradient[at] * input[at] * statistics[row];
  }
  gain_partial[i] = sum;
}
