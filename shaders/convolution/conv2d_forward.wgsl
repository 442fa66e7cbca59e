// conv2d_forward: two-dimensional convolution (cross-correlation) of images or packed spikes.
//
//   output[o, y, x] = bias[o] + sum_{c, ky, kx} weight[o, c, ky, kx] input[g C + c, iy, ix]
//
// with (iy, ix) as in lib/window, and zero beyond the edges; g is the group of o, C its input channels.
//
// Layout     input as in lib/image; weight [OUTPUTS][CHANNELS / GROUPS][KERNEL_HEIGHT][KERNEL_WIDTH];
//            output [IMAGES][OUTPUTS][OUT_HEIGHT][OUT_WIDTH].
// Dispatch   one invocation per position and four output channels of a group; neighbours share weights.
// Numerics   channels, rows, columns in order; 1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/convolution-kernels.ts

import package::lib::grid::element;
import package::lib::image::value_at;
import package::lib::window::{tap_y, tap_x};
import constants::{WORKGROUP, IMAGES, CHANNELS, OUTPUTS, GROUPS};
import constants::{OUT_HEIGHT, OUT_WIDTH, KERNEL_HEIGHT, KERNEL_WIDTH};

var<storage, read_write> weight: array<f32>;
var<storage, read_write> output: array<f32>;
@if(BIAS) var<storage, read_write> bias: array<f32>;

const POSITIONS = u32(OUT_HEIGHT * OUT_WIDTH);
const GROUP_INPUTS = u32(CHANNELS / GROUPS);
const GROUP_OUTPUTS = u32(OUTPUTS / GROUPS);
const QUADS = (GROUP_OUTPUTS + 3u) / 4u;
const DEPTH = GROUP_INPUTS * KERNEL_HEIGHT * KERNEL_WIDTH;

@compute @workgroup_size(WORKGROUP)
fn conv2d_forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let plane = i / POSITIONS;
  let image = plane / (GROUPS * QUADS);
  if (image >= IMAGES) { return; }
  let position = i % POSITIONS;
  let oy = position / OUT_WIDTH;
  let ox = position % OUT_WIDTH;
  let group = plane / QUADS % GROUPS;
  let first = plane % QUADS * 4u;
  let here = min(4u, GROUP_OUTPUTS - first);
  let output_channel = group * GROUP_OUTPUTS + first;

  var sums = vec4f();
  for (var c = 0u; c < GROUP_INPUTS; c++) {
    for (var ky = 0u; ky < KERNEL_HEIGHT; ky++) {
      for (var kx = 0u; kx < KERNEL_WIDTH; kx++) {
        let value = value_at(image, group * GROUP_INPUTS + c, tap_y(oy, ky), tap_x(ox, kx));
        let tap = (c * KERNEL_HEIGHT + ky) * KERNEL_WIDTH + kx;
        for (var j = 0u; j < here; j++) {
          sums[j] += weight[(output_channel + j) * DEPTH + tap] * value;
        }
      }
    }
  }
  for (var j = 0u; j < here; j++) {
    var value = sums[j];
    @if(BIAS) value += bias[output_channel + j];
    output[(image * OUTPUTS + output_channel + j) * POSITIONS + position] = value;
  }
}
