import { GammatoneEnvelope } from './generated/arguments';
import { bytes } from './bytes';
import { storeSome } from './simd';

/**
 * gammatone_envelope: how loud each band of a cochlea is, four bands at a time through all samples. A
 * band is four complex resonators in a row.
 *
 *   z1 = a z1 + (1 - |a|) x;  z2 = a z2 + (1 - |a|) z1;  z3 and z4 likewise
 *   y[frame] = gain (mean over the frame of 2 |z4|)^exponent
 *
 * Items      rows x groups of 4 channels, groups innermost
 */
export function gammatone_envelope(args: GammatoneEnvelope, first: i32, last: i32): void {
  const rows = args.rows,
    samples = args.samples,
    channels = args.channels,
    hop = args.hop;
  const groups = (channels + 3) >> 2,
    frames = samples / hop;
  for (let item = first; item < last; item++) {
    const row = item / groups,
      channel = (item % groups) << 2;
    const count = min(4, channels - channel);
    const re = poleLanes(args, channel, count, 0),
      im = poleLanes(args, channel, count, 1),
      feed = poleLanes(args, channel, count, 2);
    const zero = f32x4.splat(0);
    let r1 = zero,
      r2 = zero,
      r3 = zero,
      r4 = zero,
      i1 = zero,
      i2 = zero,
      i3 = zero,
      i4 = zero;
    let from = args.waveformAt + bytes(samples) * row;
    for (let frame = 0; frame < frames; frame++) {
      let sum = zero;
      for (let s = 0; s < hop; s++, from += 4) {
        const x = f32x4.mul(feed, v128.load_splat<f32>(from));
        let next = f32x4.add(turn(re, im, r1, i1), x);
        i1 = twist(re, im, r1, i1);
        r1 = next;
        next = f32x4.add(turn(re, im, r2, i2), f32x4.mul(feed, r1));
        i2 = f32x4.add(twist(re, im, r2, i2), f32x4.mul(feed, i1));
        r2 = next;
        next = f32x4.add(turn(re, im, r3, i3), f32x4.mul(feed, r2));
        i3 = f32x4.add(twist(re, im, r3, i3), f32x4.mul(feed, i2));
        r3 = next;
        next = f32x4.add(turn(re, im, r4, i4), f32x4.mul(feed, r3));
        i4 = f32x4.add(twist(re, im, r4, i4), f32x4.mul(feed, i3));
        r4 = next;
        sum = f32x4.add(sum, f32x4.sqrt(f32x4.add(f32x4.mul(r4, r4), f32x4.mul(i4, i4))));
      }
      const loudness = f32x4.mul(sum, f32x4.splat(<f32>2 / <f32>hop));
      const to = args.envelopeAt + bytes(channels) * (frame * rows + row) + bytes(channel);
      storeSome(to, compress(loudness, args.gain, args.exponent), count);
    }
  }
}

/** Real part of a z. */
function turn(re: v128, im: v128, zr: v128, zi: v128): v128 {
  return f32x4.sub(f32x4.mul(re, zr), f32x4.mul(im, zi));
}

/** Imaginary part of a z. */
function twist(re: v128, im: v128, zr: v128, zi: v128): v128 {
  return f32x4.add(f32x4.mul(re, zi), f32x4.mul(im, zr));
}

/** One part of the poles of up to four channels; channels that are not there stay silent. */
function poleLanes(args: GammatoneEnvelope, channel: i32, count: i32, part: i32): v128 {
  const at = args.polesAt + bytes(3 * channel + part);
  let lanes = f32x4.splat(0);
  if (count > 0) lanes = f32x4.replace_lane(lanes, 0, load<f32>(at));
  if (count > 1) lanes = f32x4.replace_lane(lanes, 1, load<f32>(at, 12));
  if (count > 2) lanes = f32x4.replace_lane(lanes, 2, load<f32>(at, 24));
  if (count > 3) lanes = f32x4.replace_lane(lanes, 3, load<f32>(at, 36));
  return lanes;
}

/** gain x^exponent, lane by lane: once a frame. */
function compress(x: v128, gain: f32, exponent: f32): v128 {
  let y = f32x4.splat(0);
  y = f32x4.replace_lane(y, 0, gain * Mathf.pow(f32x4.extract_lane(x, 0), exponent));
  y = f32x4.replace_lane(y, 1, gain * Mathf.pow(f32x4.extract_lane(x, 1), exponent));
  y = f32x4.replace_lane(y, 2, gain * Mathf.pow(f32x4.extract_lane(x, 2), exponent));
  return f32x4.replace_lane(y, 3, gain * Mathf.pow(f32x4.extract_lane(x, 3), exponent));
}
