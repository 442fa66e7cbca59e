// pool2d_backward: each input gets FACTOR times the gradients of the windows it lies in.
//
//   d input[c, y, x] (+)= FACTOR sum_{ky, kx} gradient[c, oy, ox]
//
// with (oy, ox) the output whose tap (ky, kx) reads (y, x), see lib/window.
//
// Layout     gradient [IMAGES][CHANNELS][OUT_HEIGHT][OUT_WIDTH]; input_gradient [..][HEIGHT][WIDTH].
// Dispatch   one invocation per input.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/convolution-kernels.ts

import package::lib::grid::element;
import package::lib::window::{reader_y, reader_x};
import constants::{WORKGROUP, IMAGES, CHANNELS, HEIGHT, WIDTH, FACTOR};
import constants::{OUT_HEIGHT, OUT_WIDTH, KERNEL_HEIGHT, KERNEL_WIDTH};

var<storage, read_write> gradient: array<f32>;
var<storage, read_write> input_gradient: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn pool2d_backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  if (i >= IMAGES * CHANNELS * HEIGHT * WIDTH) { return; }
  let plane = i / (HEIGHT * WIDTH);
  var sum = 0.0;
  for (var ky = 0u; ky < KERNEL_HEIGHT; ky++) {
    let oy = reader_y(i / WIDTH % HEIGHT, ky);
    if (oy >= OUT_HEIGHT) { continue; }
    for (var kx = 0u; kx < KERNEL_WIDTH; kx++) {
      let ox = reader_x(i % WIDTH, kx);
      if (ox < OUT_WIDTH) { sum += gradient[(plane * OUT_HEIGHT + oy) * OUT_WIDTH + ox]; }
    }
  }
  @if(ACCUMULATE) input_gradient[i] += FACTOR * sum;
  @else input_gradient[i] = FACTOR * sum;
}
