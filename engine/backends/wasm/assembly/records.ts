import { address, bytes, whole } from './arguments';
import { BLOCK } from './rows';

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

/**
 * record_spikes: keeps the spikes of this step in line t % capacity.
 *
 * Items      1
 */
export function record_spikes(args: usize, first: i32, last: i32, scratch: usize): void {
  const line = bytes((whole(args, 3) + 31) >> 5),
    slot = load<u32>(address(args, 0)) % <u32>whole(args, 4);
  memory.copy(address(args, 2) + line * slot, address(args, 1), line);
}

/**
 * record_state: keeps a state of chosen neurons in line t % capacity.
 *
 * Items      blocks of 256 chosen neurons
 */
export function record_state(args: usize, first: i32, last: i32, scratch: usize): void {
  const row = address(args, 1) + bytes(whole(args, 6) * whole(args, 7)),
    chosen = address(args, 2),
    count = whole(args, 4);
  const slot = load<u32>(address(args, 0)) % <u32>whole(args, 5);
  const line = address(args, 3) + bytes(count) * slot;
  const end = min(count, last * BLOCK);
  for (let i = first * BLOCK; i < end; i++) {
    store<f32>(line + bytes(i), load<f32>(row + bytes(load<u32>(chosen + bytes(i)))));
  }
}

/**
 * count_spikes: how many neurons fired in this step, into place t % capacity.
 *
 * Items      1
 */
export function count_spikes(args: usize, first: i32, last: i32, scratch: usize): void {
  const spikes = address(args, 1),
    words = (whole(args, 3) + 31) >> 5;
  let total: u32 = 0;
  for (let w = 0; w < words; w++) total += popcnt(load<u32>(spikes + bytes(w)));
  store<u32>(address(args, 2) + bytes(load<u32>(address(args, 0)) % <u32>whole(args, 4)), total);
}
