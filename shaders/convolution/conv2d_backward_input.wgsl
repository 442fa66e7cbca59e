// conv2d_backward_input: gradient of conv2d_forward with respect to its input, gathered: each input
// adds up what the outputs that read it hand back.
//
//   d input[g C + c, y, x] (+)= sum_{o in g, ky, kx} weight[o, c, ky, kx] gradient[o, oy, ox]
//
// with (oy, ox) the output whose tap (ky, kx) reads (y, x), see lib/window.
//
// Layout     as conv2d_forward; input_gradient [IMAGES][CHANNELS][HEIGHT][WIDTH].
// Dispatch   one invocation per place and four input channels of a group.
// Numerics   1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/convolution-kernels.ts

import package::lib::grid::element;
import package::lib::window::{reader_y, reader_x};
import constants::{WORKGROUP, IMAGES, CHANNELS, HEIGHT, WIDTH, OUTPUTS, GROUPS};
import constants::{OUT_HEIGHT, OUT_WIDTH, KERNEL_HEIGHT, KERNEL_WIDTH};

var<storage, read_write> gradient: array<f32>;
var<storage, read_write> weight: array<f32>;
var<storage, read_write> input_gradient: array<f32>;

const PLACES = u32(HEIGHT * WIDTH);
const TAPS = u32(KERNEL_HEIGHT * KERNEL_WIDTH);
const GROUP_INPUTS = u32(CHANNELS / GROUPS);
const GROUP_OUTPUTS = u32(OUTPUTS / GROUPS);
const QUADS = (GROUP_INPUTS + 3u) / 4u;

@compute @workgroup_size(WORKGROUP)
fn conv2d_backward_input(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let plane = i / PLACES;
  let image = plane / (GROUPS * QUADS);
  if (image >= IMAGES) { return; }
  let place = i % PLACES;
  let group = plane / QUADS % GROUPS;
  let first = plane % QUADS * 4u;
  let here = min(4u, GROUP_INPUTS - first);

  var sums = vec4f();
  for (var ky = 0u; ky < KERNEL_HEIGHT; ky++) {
    let oy = reader_y(place / WIDTH, ky);
    if (oy >= OUT_HEIGHT) { continue; }
    for (var kx = 0u; kx < KERNEL_WIDTH; kx++) {
      let ox = reader_x(place % WIDTH, kx);
      if (ox >= OUT_WIDTH) { continue; }
      for (var o = group * GROUP_OUTPUTS; o < (group + 1u) * GROUP_OUTPUTS; o++) {
        let g = gradient[((image * OUTPUTS + o) * OUT_HEIGHT + oy) * OUT_WIDTH + ox];
        let tap = (o * GROUP_INPUTS + first) * TAPS + ky * KERNEL_WIDTH + kx;
        for (var j = 0u; j < here; j++) { sums[j] += weight[tap + j * TAPS] * g; }
      }
    }
  }
  for (var j = 0u; j < here; j++) {
    let at = (image * CHANNELS + group * GROUP_INPUTS + first + j) * PLACES + place;
    var value = sums[j];
    @if(ACCUMULATE) value += input_gradient[at];
    input_gradient[at] = value;
  }
}
