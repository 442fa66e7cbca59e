import { address, bytes, whole } from './arguments';

/**
 * replay_spikes: the spikes that were given for this step.
 *
 * Items      1
 */
export function replay_spikes(args: usize, first: i32, last: i32, scratch: usize): void {
  const t = load<u32>(address(args, 0)),
    word = address(args, 2),
    fired = address(args, 3),
    spikes = address(args, 4);
  memory.fill(spikes, 0, bytes((whole(args, 5) + 31) >> 5));
  if (t >= <u32>whole(args, 6)) return;
  const step = address(args, 1) + bytes(t);
  for (let e = load<u32>(step); e < load<u32>(step, 4); e++) {
    store<u32>(spikes + bytes(load<u32>(word + bytes(e))), load<u32>(fired + bytes(e)));
  }
}
