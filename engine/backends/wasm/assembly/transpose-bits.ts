import { TransposeBits } from './generated/arguments';
import { bytes } from './bytes';

/**
 * transpose_bits: spikes [rows, width] to [width, rows], 32 x 32 bits at a time.
 *
 * Items      words of a row of spikes, ceil(width / 32)
 */
export function transpose_bits(args: TransposeBits, first: i32, last: i32, scratch: usize): void {
  const spikes = args.spikesAt,
    transposed = args.transposedAt;
  const rows = args.rows,
    width = args.width;
  const words = (width + 31) >> 5,
    outWords = (rows + 31) >> 5;
  for (let word = first; word < last; word++) {
    const lanes = min(32, width - (word << 5));
    for (let block = 0; block < outWords; block++) {
      const height = min(32, rows - (block << 5));
      gatherWords(
        spikes + bytes(words) * (block << 5) + bytes(word),
        bytes(words),
        height,
        scratch,
      );
      transposeBlock(
        scratch,
        transposed + bytes(outWords) * (word << 5) + bytes(block),
        bytes(outWords),
        lanes,
      );
    }
  }
}

function gatherWords(from: usize, stride: usize, height: i32, to: usize): void {
  memory.fill(to, 0, 128);
  for (let r = 0; r < height; r++) store<u32>(to + bytes(r), load<u32>(from + stride * r));
}

/** Transposes 32 words; writes `lanes` rows of one word, `stride` bytes apart. Swaps halves, quarters, … (Warren 2013, 7-3). */
function transposeBlock(block: usize, to: usize, stride: usize, lanes: i32): void {
  let mask: u32 = 0x0000ffff;
  for (let half = 16; half != 0; half >>= 1, mask ^= mask << half) {
    for (let k = 0; k < 32; k = (k + half + 1) & ~half) {
      const high = block + bytes(k + half),
        low = block + bytes(k);
      const swapped = ((load<u32>(low) >> half) ^ load<u32>(high)) & mask;
      store<u32>(high, load<u32>(high) ^ swapped);
      store<u32>(low, load<u32>(low) ^ (swapped << half));
    }
  }
  for (let lane = 0; lane < lanes; lane++)
    store<u32>(to + stride * lane, load<u32>(block + bytes(lane)));
}
