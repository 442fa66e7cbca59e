// image: the features of a row as an image [CHANNELS][HEIGHT][WIDTH], in numbers or in packed spikes.
//
// Layout     input [IMAGES][CHANNELS * HEIGHT * WIDTH]; SPIKES: bits [IMAGES][WORDS].

import constants::{CHANNELS, HEIGHT, WIDTH, WORDS};

@if(SPIKES) var<storage, read_write> input: array<u32>;
@else var<storage, read_write> input: array<f32>;

const FEATURES = CHANNELS * HEIGHT * WIDTH;

// The input at a place of an image; zero beyond its edges.
fn value_at(image: u32, channel: u32, y: u32, x: u32) -> f32 {
  if (y >= HEIGHT || x >= WIDTH) { return 0.0; }
  let feature = (channel * HEIGHT + y) * WIDTH + x;
  @if(SPIKES) return f32((input[image * WORDS + feature / 32u] >> (feature % 32u)) & 1u);
  @else return input[image * FEATURES + feature];
}
