// layer_norm_backward_input: gradient of layer_norm_forward with respect to its input.
//
//   h = gain dy      dx (+)= rstd (h - mean(h) - xhat mean(h xhat))      xhat = (x - mean) rstd
//
// Layout     input, gradient, input_gradient [ROWS][WIDTH]; statistics [ROWS][2]: mean, rstd.
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
fn layer_norm_backward_input(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let row = row_of(group, groups, local);
  if (row >= ROWS) { return; }
  let lane = lane_of(local);
  let base = row * WIDTH;
  let mean = statistics[2u * row];
  let rstd = statistics[2u * row + 1u];

  var sum = 0.0;
  var product = 0.0;
  for (var c = lane; c < WIDTH; c += LANES) {
    let h = gain[c] * gradient[base + c];
    sum += h;
    product += h * (input[base + c] - mean) * rstd;
  }
  let mean_h = row_sum(sum, lane) / WIDTH;
  let mean_product = row_sum(product, lane) / WIDTH;

  for (var c = lane; c < WIDTH; c += LANES) {
    let normalised = (input[base + c] - mean) * rstd;
    var value = rstd * (gain[c] * gradient[base + c] - mean_h - normalised * mean_product);
    @if(ACCUMULATE) value += input_gradient[base + c];
    input_gradient[base + c] = value;
  }
}
