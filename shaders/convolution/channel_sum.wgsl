// channel_sum: sums over the positions of each channel, as the gradient of a convolution's bias needs
// them: each line of `partial` covers CHUNK images; reduce_rows adds the lines up.
//
//   partial[line, c] = sum_{images of the line, p} source[image, c, p]
//
// Layout     source [IMAGES][CHANNELS][POSITIONS]; partial [ceil(IMAGES / CHUNK)][CHANNELS].
// Dispatch   one invocation per line and channel.
// Numerics   images and positions in order.
// Reference  engine/backends/reference/convolution-kernels.ts

import package::lib::grid::element;
import constants::{WORKGROUP, IMAGES, CHANNELS, POSITIONS, CHUNK};

var<storage, read_write> source: array<f32>;
var<storage, read_write> partial: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn channel_sum(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let i = element(id, groups);
  let first = i / CHANNELS * CHUNK;
  if (first >= IMAGES) { return; }
  var sum = 0.0;
  for (var image = first; image < min(first + CHUNK, IMAGES); image++) {
    let at = (image * CHANNELS + i % CHANNELS) * POSITIONS;
    var plane = 0.0;
    for (var p = 0u; p < POSITIONS; p++) { plane += source[at + p]; }
    sum += plane;
  }
  partial[i] = sum;
}
