// window: which input each tap of a window reads that moves over an image with stride, padding and
// dilation, and the other way round.
//
//   input = output STRIDE + tap DILATION - PADDING
//
// A place in front of the first row or column wraps to a number beyond every height and width.

import constants::{STRIDE_Y, STRIDE_X, PADDING_Y, PADDING_X, DILATION_Y, DILATION_X};

const NOWHERE = 0xffffffffu;

// The input row that tap `ky` of output row `oy` reads.
fn tap_y(oy: u32, ky: u32) -> u32 { return oy * STRIDE_Y + ky * DILATION_Y - PADDING_Y; }

fn tap_x(ox: u32, kx: u32) -> u32 { return ox * STRIDE_X + kx * DILATION_X - PADDING_X; }

// The output row whose tap `ky` reads input row `y`; NOWHERE or a row that is not there where none does.
fn reader_y(y: u32, ky: u32) -> u32 {
  let start = y + PADDING_Y - ky * DILATION_Y;
  return select(NOWHERE, start / STRIDE_Y, start % STRIDE_Y == 0u);
}

fn reader_x(x: u32, kx: u32) -> u32 {
  let start = x + PADDING_X - kx * DILATION_X;
  return select(NOWHERE, start / STRIDE_X, start % STRIDE_X == 0u);
}
