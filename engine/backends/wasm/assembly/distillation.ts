import { address, bytes, real, whole } from './arguments';
import { largestOf } from './loss';
import { keepUpTo, storeUpTo } from './rows';
import { exp4, sumLanes } from './simd';

/**
 * distillation_forward: how far a row of logits is from a teacher's probabilities and the target, in nats.
 *
 *   losses = (1 - blend) (lse(z) - z[target]) + blend T^2 (lse(z / T) - sum_c q[c] z[c] / T)
 *
 * Items      rows
 */
export function distillation_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const width = whole(args, 6),
    temperature = real(args, 7),
    blend = real(args, 8);
  const inverse = f32x4.splat(<f32>1 / temperature);
  for (let row = first; row < last; row++) {
    const from = address(args, 0) + bytes(width) * row,
      teacher = address(args, 1) + bytes(width) * row,
      scale = address(args, 4) + bytes(2 * row);
    const largest = largestOf(from, width),
      shift = f32x4.splat(largest);
    let hard = f32x4.splat(0),
      soft = hard,
      likeness = hard;
    for (let c = 0; c < width; c += 4) {
      const z = f32x4.sub(v128.load(from + bytes(c)), shift),
        softened = f32x4.mul(z, inverse),
        left = width - c;
      hard = f32x4.add(hard, keepUpTo(exp4(z), left));
      soft = f32x4.add(soft, keepUpTo(exp4(softened), left));
      const agreement = f32x4.mul(v128.load(teacher + bytes(c)), softened);
      likeness = f32x4.add(likeness, keepUpTo(agreement, left));
    }
    const hardScale = Mathf.log(sumLanes(hard)),
      softScale = Mathf.log(sumLanes(soft));
    const target = min(load<u32>(address(args, 2) + bytes(row)), <u32>width - 1);
    const miss = hardScale - (load<f32>(from + ((<usize>target) << 2)) - largest),
      teaching = temperature * temperature * (softScale - sumLanes(likeness));
    store<f32>(address(args, 3) + bytes(row), (<f32>1 - blend) * miss + blend * teaching);
    store<f32>(scale, hardScale + largest);
    store<f32>(scale, softScale + largest / temperature, 4);
  }
}

/**
 * distillation_backward: the gradient of the mean of those losses.
 *
 *   d z[c] = ((1 - blend) (exp(z - scale) - [c = target]) + blend T (exp(z / T - scale_T) - q)) / rows
 *
 * Items      rows
 */
export function distillation_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const rows = whole(args, 5),
    width = whole(args, 6),
    temperature = real(args, 7),
    blend = real(args, 8);
  const hardShare = (<f32>1 - blend) / <f32>rows,
    hardShares = f32x4.splat(hardShare),
    softShares = f32x4.splat((blend * temperature) / <f32>rows),
    inverse = f32x4.splat(<f32>1 / temperature);
  for (let row = first; row < last; row++) {
    const from = address(args, 0) + bytes(width) * row,
      teacher = address(args, 1) + bytes(width) * row,
      to = address(args, 4) + bytes(width) * row,
      scale = address(args, 3) + bytes(2 * row);
    const hardShift = v128.load_splat<f32>(scale),
      softShift = v128.load_splat<f32>(scale, 4);
    for (let c = 0; c < width; c += 4) {
      const z = v128.load(from + bytes(c));
      const hard = exp4(f32x4.sub(z, hardShift)),
        power = exp4(f32x4.sub(f32x4.mul(z, inverse), softShift)),
        soft = f32x4.sub(power, v128.load(teacher + bytes(c)));
      const sum = f32x4.add(f32x4.mul(hardShares, hard), f32x4.mul(softShares, soft));
      storeUpTo(to + bytes(c), sum, width - c);
    }
    const target = min(load<u32>(address(args, 2) + bytes(row)), <u32>width - 1),
      hit = to + ((<usize>target) << 2);
    store<f32>(hit, load<f32>(hit) - hardShare);
  }
}

/**
 * softmax_rows: the probabilities that a row of logits stands for at a temperature.
 *
 * Items      rows
 */
export function softmax_rows(args: usize, first: i32, last: i32, scratch: usize): void {
  const width = whole(args, 3),
    inverse = f32x4.splat(<f32>1 / real(args, 4));
  for (let row = first; row < last; row++) {
    const from = address(args, 0) + bytes(width) * row,
      to = address(args, 1) + bytes(width) * row;
    const shift = f32x4.splat(largestOf(from, width));
    let sum = f32x4.splat(0);
    for (let c = 0; c < width; c += 4) {
      const z = f32x4.sub(v128.load(from + bytes(c)), shift),
        power = keepUpTo(exp4(f32x4.mul(z, inverse)), width - c);
      sum = f32x4.add(sum, power);
      storeUpTo(to + bytes(c), power, width - c);
    }
    const scale = f32x4.splat(<f32>1 / sumLanes(sum));
    for (let c = 0; c < width; c += 4) {
      storeUpTo(to + bytes(c), f32x4.mul(v128.load(to + bytes(c)), scale), width - c);
    }
  }
}
