// rms_norm_backward_input: gradient of rms_norm_forward with respect to its input.
//
//   h = gain dy      dx (+)= r (h - x r^2 mean(h x))
//
// Layout     input, gradient, input_gradient [ROWS][WIDTH]; statistics [ROWS]: r.
// Dispatch   LANES invocations per row (lib/rows).
// Numerics   1e-5 relative to the reference.
// Reference  engine/backends/reference/dense-kernels.ts

import package::lib::rows::{row_of, lane_of, row_sum};
import constants::{WORKGROUP, LANES, ROWS, WIDTH};
@if(SUBGROUPS) enable subgroups;

@group(0) @binding(0) var<storage, read_write> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> statistics: array<f32>;
@group(0) @binding(3) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(4) var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn rms_norm_backward_input(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;
  let scale = statistics[row];

  var product = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) {
    product += gain[c] * gradient[base + c] * input[base + c];
  }
  let shrink = scale * scale * row_sum(product, lane) / WIDTH;

  for (var c = lane; c < WIDTH; c += LANES) {
    var value = scale * (gain[c] * gradient[base + c] - input[base + c] * shrink);
    @if(ACCUMULATE) value += input_gradient[base + c];
    input_gradient[base + c] = value;
  }
}
