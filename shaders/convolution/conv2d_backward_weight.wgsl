// conv2d_backward_weight: gradient of conv2d_forward with respect to its weight, in partial sums:
// each line covers CHUNK images; reduce_rows adds the lines up.
//
//   partial[line, o, c, ky, kx] = sum_{images of the line, y, x} gradient[o, y, x] input[g C + c, iy, ix]
//
// Layout     as conv2d_forward; partial [ceil(IMAGES / CHUNK)][the weight's shape].
// Dispatch   one invocation per line, tap and four output channels of a group.
// Numerics   images and blocks of positions in order; 1e-6 relative to the sum of magnitudes.
// Reference  engine/backends/reference/convolution-kernels.ts

import package::lib::grid::element;
import package::lib::image::value_at;
import package::lib::window::{tap_y, tap_x};
import constants::{WORKGROUP, IMAGES, CHANNELS, OUTPUTS, GROUPS, CHUNK};
import constants::{OUT_HEIGHT, OUT_WIDTH, KERNEL_HEIGHT, KERNEL_WIDTH};

var<storage, read_write> gradient: array<f32>;
var<storage, read_write> partial: array<f32>;

const POSITIONS = u32(OUT_HEIGHT * OUT_WIDTH);
const GROUP_INPUTS = u32(CHANNELS / GROUPS);
const GROUP_OUTPUTS = u32(OUTPUTS / GROUPS);
const QUADS = (GROUP_OUTPUTS + 3u) / 4u;
const DEPTH = GROUP_INPUTS * KERNEL_HEIGHT * KERNEL_WIDTH;
// Positions that are added up by themselves: long sums keep their last bits.
const BLOCK = 64u;

@compute @workgroup_size(WORKGROUP)
fn conv2d_backward_weight(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let tap = i % DEPTH;
  let plane = i / DEPTH;
  let line = plane / (GROUPS * QUADS);
  if (line * CHUNK >= IMAGES) { return; }
  let group = plane / QUADS % GROUPS;
  let first = plane % QUADS * 4u;
  let here = min(4u, GROUP_OUTPUTS - first);
  let output_channel = group * GROUP_OUTPUTS + first;
  let channel = group * GROUP_INPUTS + tap / (KERNEL_HEIGHT * KERNEL_WIDTH);
  let ky = tap / KERNEL_WIDTH % KERNEL_HEIGHT;
  let kx = tap % KERNEL_WIDTH;

  var sums = vec4f();
  for (var image = line * CHUNK; image < min((line + 1u) * CHUNK, IMAGES); image++) {
    for (var start = 0u; start < POSITIONS; start += BLOCK) {
      var block = vec4f();
      for (var p = start; p < min(start + BLOCK, POSITIONS); p++) {
        let value = value_at(image, channel, tap_y(p / OUT_WIDTH, ky), tap_x(p % OUT_WIDTH, kx));
        let at = (image * OUTPUTS + output_channel) * POSITIONS + p;
        for (var j = 0u; j < here; j++) { block[j] += gradient[at + j * POSITIONS] * value; }
      }
      sums += block;
    }
  }
  for (var j = 0u; j < here; j++) {
    partial[(line * OUTPUTS + output_channel + j) * DEPTH + tap] = sums[j];
  }
}
