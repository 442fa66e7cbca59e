// rms_norm_forward: scale the features of each row to unit mean square.
//
//   y = x r gain      r = 1 / sqrt(mean(x^2) + EPSILON)
//
// Layout     input, output [ROWS][WIDTH]; statistics [ROWS]: r.
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   1e-6 relative to the reference.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, WIDTH, EPSILON};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
@group(0) @binding(3) var<storage, read_write> statistics: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn rms_norm_forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;

  var squares = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) { squares += input[base + c] * input[base + c]; }
  let scale = 1.0 / sqrt(row_sum(squares, lane) / WIDTH + EPSILON);

  for (var c = lane; c < WIDTH; c += LANES) { output[base + c] = input[base + c] * scale * gain[c]; }
  if (lane == 0u) { statistics[row] = scale; }
}
