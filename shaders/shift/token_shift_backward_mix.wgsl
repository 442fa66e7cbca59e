// token_shift_backward_mix: partial sums of the gradient of the mix over CHUNK rows.
//
//   partial[k, c] = sum of dy[i] (x[i] - x[i-1]) over rows of chunk k
//
// Layout     input, gradient [ROWS][WIDTH]; partial [chunks][WIDTH].
// Dispatch   one invocation per column and chunk.
// Numerics   rows of a chunk are added in order.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, ROWS, WIDTH, SEQUENCE, CHUNK};

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(2) var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn token_shift_backward_mix(
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
    var previous = 0.0;
    if (row % SEQUENCE > 0u) { previous = input[at - WIDTH]; }
    sum += gradient[at] * (input[at] - previous);
  }
  partial[i] = sum;
}
