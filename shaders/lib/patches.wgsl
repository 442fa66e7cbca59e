// patches: the left side of a convolution as a product, which is nowhere in memory: a row for each place
// of each image, and along the depth what the taps of the window see from there.
//
//   patch_at      forward: row = (image, output position), k = (input channel, tap)
//   returned_at   back to the input: row = (image, input place), k = (output channel, tap)

import package::lib::image::value_at;
import package::lib::window::{tap_y, tap_x, reader_y, reader_x};
import constants::{WIDTH, PLANE, OUTPUTS, OUT_HEIGHT, OUT_WIDTH, KERNEL_HEIGHT, KERNEL_WIDTH};

var<storage, read_write> gradient: array<f32>;

const TAPS = u32(KERNEL_HEIGHT * KERNEL_WIDTH);

fn patch_at(row: u32, k: u32) -> f32 {
  let position = row % PLANE;
  let tap = k % TAPS;
  let y = tap_y(position / OUT_WIDTH, tap / KERNEL_WIDTH);
  let x = tap_x(position % OUT_WIDTH, tap % KERNEL_WIDTH);
  return value_at(row / PLANE, k / TAPS, y, x);
}

fn returned_at(row: u32, k: u32) -> f32 {
  let place = row % PLANE;
  let tap = k % TAPS;
  let oy = reader_y(place / WIDTH, tap / KERNEL_WIDTH);
  let ox = reader_x(place % WIDTH, tap % KERNEL_WIDTH);
  if (oy >= OUT_HEIGHT || ox >= OUT_WIDTH) { return 0.0; }
  return gradient[((row / PLANE * OUTPUTS + k / TAPS) * OUT_HEIGHT + oy) * OUT_WIDTH + ox];
}

// Index of the weight that takes output channel and tap `k` back to input channel `channel` of `channels`.
fn returning_weight(k: u32, channel: u32, channels: u32) -> u32 {
  return (k / TAPS * channels + channel) * TAPS + k % TAPS;
}
