import { address, bytes, whole } from './arguments';
import { BLOCK, storeUpTo } from './rows';
import { madd, sigmoid4 } from './simd';

/** A function and its derivative, in four lanes. Kernels are compiled once for each, and call no object. */
interface Activation {
  value(x: v128): v128;
  slope(x: v128): v128;
}

/** The functions by their place in ACTIVATIONS of engine/kernels/dense.ts. */
const SIGMOID: i32 = 0;
const SOFTPLUS: i32 = 1;
const LOG: i32 = 2;
const RELU: i32 = 3;

/** A function of one number, for those without vector code. */
interface Scalar {
  at(x: f32): f32;
}

function eachLane<S extends Scalar>(x: v128): v128 {
  const f = changetype<S>(0);
  let y = f32x4.splat(f.at(f32x4.extract_lane(x, 0)));
  y = f32x4.replace_lane(y, 1, f.at(f32x4.extract_lane(x, 1)));
  y = f32x4.replace_lane(y, 2, f.at(f32x4.extract_lane(x, 2)));
  return f32x4.replace_lane(y, 3, f.at(f32x4.extract_lane(x, 3)));
}

class SigmoidOfOne implements Scalar {
  at(x: f32): f32 {
    return <f32>1 / (<f32>1 + Mathf.exp(-x));
  }
}

class Sigmoid implements Activation {
  value(x: v128): v128 {
    return eachLane<SigmoidOfOne>(x);
  }
  slope(x: v128): v128 {
    const s = eachLane<SigmoidOfOne>(x);
    return f32x4.mul(s, f32x4.sub(f32x4.splat(1), s));
  }
}

class SoftplusOfOne implements Scalar {
  at(x: f32): f32 {
    return max<f32>(x, 0) + Mathf.log1p(Mathf.exp(-abs(x)));
  }
}

class Softplus implements Activation {
  value(x: v128): v128 {
    return eachLane<SoftplusOfOne>(x);
  }
  slope(x: v128): v128 {
    return eachLane<SigmoidOfOne>(x);
  }
}

const MIN_LOG_INPUT: f32 = 1e-10;

class LogOfOne implements Scalar {
  at(x: f32): f32 {
    return Mathf.log(max<f32>(x, MIN_LOG_INPUT));
  }
}

class Log implements Activation {
  value(x: v128): v128 {
    return eachLane<LogOfOne>(x);
  }
  slope(x: v128): v128 {
    return v128.and(f32x4.div(f32x4.splat(1), x), f32x4.gt(x, f32x4.splat(MIN_LOG_INPUT)));
  }
}

class Relu implements Activation {
  value(x: v128): v128 {
    return f32x4.max(x, f32x4.splat(0));
  }
  slope(x: v128): v128 {
    return v128.and(f32x4.splat(1), f32x4.gt(x, f32x4.splat(0)));
  }
}

/** sqrt(8 / pi): the tanh form of GELU as x * sigmoid(z). */
const SLOPE: f32 = 1.5957691216057308;
const CUBIC: f32 = 0.044715;

/** sigmoid(SLOPE (x + CUBIC x^3)) in four lanes. */
function gate4(x: v128, squares: v128): v128 {
  const cubic = madd(squares, f32x4.splat(CUBIC), f32x4.splat(1));
  return sigmoid4(f32x4.mul(f32x4.mul(x, f32x4.splat(SLOPE)), cubic));
}

class Gelu implements Activation {
  value(x: v128): v128 {
    return f32x4.mul(x, gate4(x, f32x4.mul(x, x)));
  }
  /** s + x s (1 - s) SLOPE (1 + 3 CUBIC x^2) with s = gate(x) */
  slope(x: v128): v128 {
    const one = f32x4.splat(1),
      squares = f32x4.mul(x, x),
      s = gate4(x, squares);
    const cubic = madd(squares, f32x4.splat(SLOPE * 3 * CUBIC), f32x4.splat(SLOPE));
    return f32x4.mul(s, madd(f32x4.mul(x, f32x4.sub(one, s)), cubic, one));
  }
}

/**
 * activation_forward: y = value(x).
 *
 * Items      blocks of 256 elements
 */
export function activation_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const activation = whole(args, 3);
  if (activation == SIGMOID) forward<Sigmoid>(args, first, last);
  else if (activation == SOFTPLUS) forward<Softplus>(args, first, last);
  else if (activation == LOG) forward<Log>(args, first, last);
  else if (activation == RELU) forward<Relu>(args, first, last);
  else forward<Gelu>(args, first, last);
}

function forward<A extends Activation>(args: usize, first: i32, last: i32): void {
  const input = address(args, 0),
    output = address(args, 1),
    end = min(whole(args, 2), last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i);
    storeUpTo(output + at, changetype<A>(0).value(v128.load(input + at)), end - i);
  }
}

/**
 * activation_backward: dx (+)= dy slope(x).
 *
 * Items      blocks of 256 elements
 */
export function activation_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const activation = whole(args, 4);
  if (activation == SIGMOID) backward<Sigmoid>(args, first, last);
  else if (activation == SOFTPLUS) backward<Softplus>(args, first, last);
  else if (activation == LOG) backward<Log>(args, first, last);
  else if (activation == RELU) backward<Relu>(args, first, last);
  else backward<Gelu>(args, first, last);
}

function backward<A extends Activation>(args: usize, first: i32, last: i32): void {
  const input = address(args, 0),
    gradient = address(args, 1),
    output = address(args, 2),
    end = min(whole(args, 3), last * BLOCK),
    accumulate = whole(args, 5) != 0;
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i);
    const slope = changetype<A>(0).slope(v128.load(input + at));
    let change = f32x4.mul(v128.load(gradient + at), slope);
    if (accumulate) change = f32x4.add(change, v128.load(output + at));
    storeUpTo(output + at, change, end - i);
  }
}
