import { ReplaySpikes } from './generated/arguments';
import { bytes } from './bytes';

/**
 * replay_spikes: the spikes that were given for this step.
 *
 * Items      1
 */
export function replay_spikes(args: ReplaySpikes, first: i32, last: i32): void {
  const t = load<u32>(args.clockAt),
    word = args.wordAt,
    fired = args.firedAt,
    spikes = args.spikesAt;
  memory.fill(spikes, 0, bytes((args.count + 31) >> 5));
  if (t >= <u32>args.steps) return;
  const step = args.stepStartAt + bytes(t);
  for (let e = load<u32>(step); e < load<u32>(step, 4); e++) {
    store<u32>(spikes + bytes(load<u32>(word + bytes(e))), load<u32>(fired + bytes(e)));
  }
}
