// layer_norm_forward: centre and scale the features of each row.
//
//   y = (x - mean) rstd gain + offset      rstd = 1 / sqrt(var + EPSILON)
//
// Layout     input, output [ROWS][WIDTH]; statistics [ROWS][2]: mean, rstd.
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   two passes, so that large means cost no digits; 1e-6 relative.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, WIDTH, EPSILON};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> offset: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;
@group(0) @binding(4) var<storage, read_write> statistics: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn layer_norm_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;

  var sum = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) { sum += input[base + c]; }
  let mean = row_sum(sum, lane) / WIDTH;
  var squares = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) {
    let centred = input[base + c] - mean;
    squares += centred * centred;
  }
  let rstd = 1.0 / sqrt(row_sum(squares, lane) / WIDTH + EPSILON);

  for (var c = lane; c < WIDTH; c += LANES) {
    output[base + c] = (input[base + c] - mean) * rstd * gain[c] + offset[c];
  }
  if (lane == 0u) {
    statistics[2u * row] = mean;
    statistics[2u * row + 1u] = rstd;
  }
}
