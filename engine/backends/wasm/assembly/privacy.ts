import { cos4, sin4 } from './angle';
import { PrivateGradient } from './generated/arguments';
import { BLOCK } from './generated/sizes';
import { bytes } from './bytes';
import { philox, word0, word1, word2, word3 } from './philox';
import { loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

/** 2^-32 and 2^-33: a whole word makes a number in (0, 1]. */
const WORD_SHARE: f32 = 2.3283064365386963e-10;
const HALF_SHARE: f32 = 1.1641532182693481e-10;
/** 2 pi / 2^24 */
const ANGLE_SHARE: f32 = 3.7450702829238413e-7;

function radius(word: u32): f32 {
  return sqrt<f32>(<f32>-2 * Mathf.log(<f32>word * WORD_SHARE + HALF_SHARE));
}

/** Four standard normal numbers of a draw (Box & Muller 1958). */
function normals(index: u32, stream: u32, clock: usize): v128 {
  philox(index, stream, clock);
  const radii = twice(radius(word0), radius(word2));
  const angles = twice(<f32>(word1 >> 8) * ANGLE_SHARE, <f32>(word3 >> 8) * ANGLE_SHARE);
  return f32x4.mul(radii, v128.shuffle<f32>(cos4(angles), sin4(angles), 0, 5, 2, 7));
}

/** a, a, b, b */
function twice(a: f32, b: f32): v128 {
  const lanes = f32x4.replace_lane(f32x4.splat(a), 2, b);
  return f32x4.replace_lane(lanes, 3, b);
}

/**
 * private_gradient: gradient = factor (sum + deviation z) with standard normal z; the sum is emptied.
 *
 * Items      blocks of 256 elements
 */
export function private_gradient(args: PrivateGradient, first: i32, last: i32): void {
  const clock = args.clockAt,
    gradient = args.gradientAt,
    count = args.count,
    offset = args.offset,
    stream = args.stream;
  const sum = args.sumAt + bytes(offset);
  const deviation = f32x4.splat(args.deviation),
    factor = f32x4.splat(args.factor);
  for (let i = first * BLOCK; i < min(count, last * BLOCK); i += 4) {
    const at = bytes(i),
      left = count - i;
    const noised = madd(
      deviation,
      normals((offset + i) >> 2, stream, clock),
      loadUpTo(sum + at, left),
    );
    storeUpTo(gradient + at, f32x4.mul(factor, noised), left);
    storeUpTo(sum + at, f32x4.splat(0), left);
  }
}
