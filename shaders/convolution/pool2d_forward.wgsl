// pool2d_forward: FACTOR times the sum of a window of each channel; zeros beyond the edges count.
//
//   output[c, y, x] = FACTOR sum_{ky, kx} input[c, iy, ix]
//
// Layout     input as in lib/image; output [IMAGES][CHANNELS][OUT_HEIGHT][OUT_WIDTH].
// Dispatch   one invocation per output.
// Numerics   rows and columns in order; spikes are counted exactly.
// Reference  engine/backends/reference/convolution-kernels.ts

import package::lib::grid::element;
import package::lib::image::value_at;
import package::lib::window::{tap_y, tap_x};
import constants::{WORKGROUP, IMAGES, CHANNELS, FACTOR};
import constants::{OUT_HEIGHT, OUT_WIDTH, KERNEL_HEIGHT, KERNEL_WIDTH};

var<storage, read_write> output: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn pool2d_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= IMAGES * CHANNELS * OUT_HEIGHT * OUT_WIDTH) { return; }
  let ox = i % OUT_WIDTH;
  let oy = i / OUT_WIDTH % OUT_HEIGHT;
  let plane = i / (OUT_HEIGHT * OUT_WIDTH);
  var sum = 0.0;
  for (var ky = 0u; ky < KERNEL_HEIGHT; ky++) {
    for (var kx = 0u; kx < KERNEL_WIDTH; kx++) {
      sum += value_at(plane / CHANNELS, plane % CHANNELS, tap_y(oy, ky), tap_x(ox, kx));
    }
  }
  output[i] = FACTOR * sum;
}
