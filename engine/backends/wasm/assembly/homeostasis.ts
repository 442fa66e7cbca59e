import { IncomingNormalise } from './generated/arguments';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';

/**
 * incoming_normalise: the weights of each target are scaled to a given sum.
 *
 * Items      targets
 */
export function incoming_normalise(args: IncomingNormalise, first: i32, last: i32): void {
  const columnStart = args.columnStartAt,
    synapseOf = args.synapseOfAt,
    weight = args.weightAt;
  const total = args.total;
  for (let j = first; j < last; j++) {
    const start = load<i32>(columnStart + bytes(j)),
      end = load<i32>(columnStart + bytes(j + 1));
    let sum: f32 = 0;
    for (let c = start; c < end; c++)
      sum += load<f32>(weight + bytes(load<i32>(synapseOf + bytes(c))));
    if (sum <= 0) continue;
    const factor = total / sum;
    for (let c = start; c < end; c++) {
      const at = weight + bytes(load<i32>(synapseOf + bytes(c)));
      store<f32>(at, load<f32>(at) * factor);
    }
  }
}

/**
 * incoming_normalise_dense: the same for dense synapses, four targets at a time.
 *
 * Items      groups of four targets
 */
export function incoming_normalise_dense(args: IncomingNormalise, first: i32, last: i32): void {
  const weight = args.weightAt,
    pre = args.pre,
    post = args.post;
  const total = f32x4.splat(args.total),
    zero = f32x4.splat(0),
    one = f32x4.splat(1);
  const stride = bytes(post);
  for (let group = first; group < last; group++) {
    const from = weight + bytes(group << 2),
      left = post - (group << 2);
    let sum = zero;
    for (let i = 0, at = from; i < pre; i++, at += stride) sum = f32x4.add(sum, loadUpTo(at, left));
    const factor = v128.bitselect(f32x4.div(total, sum), one, f32x4.gt(sum, zero));
    for (let i = 0, at = from; i < pre; i++, at += stride) {
      storeUpTo(at, f32x4.mul(loadUpTo(at, left), factor), left);
    }
  }
}
