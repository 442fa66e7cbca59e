import { address, bytes, real, whole } from './arguments';
import { BLOCK } from './rows';

/** The modes, as the backend numbers them. */
const EMA_DELTA: i32 = 0;
const RAW: i32 = 1;

function clamp(x: f32, low: f32, high: f32): f32 {
  return min<f32>(max<f32>(x, low), high);
}

/**
 * reward_signal: what the loss of a step is worth and what follows from it;
 * shaders/neurons/reward_signal.wgsl has the equations.
 *
 * Items      1
 */
export function reward_signal(args: usize, first: i32, last: i32, scratch: usize): void {
  const clock = address(args, 1),
    state = address(args, 2),
    mode = whole(args, 6);
  const place = load<u32>(clock, 4) % <u32>whole(args, 7);
  const loss = load<f32>(address(args, 0) + ((<usize>place) << 2)),
    isFirst = load<f32>(state, 8) == 0;
  const lossDecay = real(args, 8),
    baselineDecay = real(args, 9),
    clip = real(args, 10);
  const before = isFirst ? loss : load<f32>(state);
  const mean = lossDecay * before + (<f32>1 - lossDecay) * loss;
  let gain = mode == EMA_DELTA ? before - mean : -loss;
  if (mode != RAW) gain = clamp(gain, -clip, clip);
  const baseline = isFirst ? gain : load<f32>(state, 4);
  const advantage = gain - baseline;
  const direction: f32 = advantage > 0 ? 1 : advantage < 0 ? -1 : 0;
  const annealed = real(args, 11) / (<f32>1 + <f32>load<u32>(clock) / real(args, 12));
  store<f32>(address(args, 3), gain);
  store<f32>(address(args, 4), direction * annealed);
  store<f32>(address(args, 5), clamp(<f32>1 + advantage / clip, real(args, 13), 2));
  store<f32>(state, mean);
  store<f32>(state, baselineDecay * baseline + (<f32>1 - baselineDecay) * gain, 4);
  store<f32>(state, 1, 8);
}

/**
 * reward_decay: beta = clamp(1 - (1 - beta) (1 - move), lowest, highest).
 *
 * Items      blocks of 256 elements
 */
export function reward_decay(args: usize, first: i32, last: i32, scratch: usize): void {
  const kept = <f32>1 - load<f32>(address(args, 0)),
    beta = address(args, 1);
  const end = min(whole(args, 2), last * BLOCK);
  for (let i = first * BLOCK; i < end; i++) {
    const at = beta + bytes(i);
    const value = <f32>1 - (<f32>1 - load<f32>(at)) * kept;
    store<f32>(at, clamp(value, real(args, 3), real(args, 4)));
  }
}
