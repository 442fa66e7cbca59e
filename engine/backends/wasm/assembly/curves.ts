import { address, bytes, whole } from './arguments';
import { BLOCK } from './rows';

/** The curves, as the backend numbers them. */
const SIGMOID: i32 = 0;
const LOG: i32 = 2;
const RELU: i32 = 3;
/** What the logarithm takes anything smaller for. */
const LEAST_LOG_INPUT: f32 = 1e-10;

function sigmoid(x: f32): f32 {
  return <f32>1 / (<f32>1 + Mathf.exp(-x));
}

/** log(1 + e^x) */
function softplus(x: f32): f32 {
  return max<f32>(x, 0) + Mathf.log1p(Mathf.exp(-abs(x)));
}

function valueAt(x: f32, curve: i32): f32 {
  if (curve == LOG) return Mathf.log(max<f32>(x, LEAST_LOG_INPUT));
  if (curve == RELU) return max<f32>(x, 0);
  return curve == SIGMOID ? sigmoid(x) : softplus(x);
}

function slopeAt(x: f32, curve: i32): f32 {
  if (curve == LOG) return x > LEAST_LOG_INPUT ? <f32>1 / x : <f32>0;
  if (curve == RELU) return x > 0 ? <f32>1 : <f32>0;
  const s = sigmoid(x);
  return curve == SIGMOID ? s * (<f32>1 - s) : s;
}

/**
 * curve_forward: y = sigmoid(x), softplus(x), log(x) or max(x, 0).
 *
 * Items      blocks of 256 elements
 * Arguments  input, output, count, curve
 */
export function curve_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    output = address(args, 1);
  const end = min(whole(args, 2), last * BLOCK),
    curve = whole(args, 3);
  for (let i = first * BLOCK; i < end; i++) {
    store<f32>(output + bytes(i), valueAt(load<f32>(input + bytes(i)), curve));
  }
}

/**
 * curve_backward: dx (+)= dy times the slope of the curve at x.
 *
 * Items      blocks of 256 elements
 * Arguments  input, gradient, gradient of the input, count, curve, whether that is added to
 */
export function curve_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    gradient = address(args, 1),
    output = address(args, 2);
  const end = min(whole(args, 3), last * BLOCK),
    curve = whole(args, 4),
    accumulate = whole(args, 5) != 0;
  for (let i = first * BLOCK; i < end; i++) {
    const at = bytes(i),
      slope = slopeAt(load<f32>(input + at), curve);
    const kept = accumulate ? load<f32>(output + at) : <f32>0;
    store<f32>(output + at, kept + load<f32>(gradient + at) * slope);
  }
}
