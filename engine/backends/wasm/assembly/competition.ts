import { address, bytes, real, whole } from './arguments';

/**
 * competing_lif: one step of neurons with a threshold of their own and a time of rest.
 *
 *   u = decay v + I if rested, decay v if not      s = 1 if rested and u > threshold + offset
 *   v = reset if s, else u                         rest for refractorySteps after a spike
 *
 * Items      words of spikes, rows x ceil(width / 32)
 */
export function competing_lif(args: usize, first: i32, last: i32, scratch: usize): void {
  const current = address(args, 0),
    offset = address(args, 1),
    membrane = address(args, 2);
  const refractory = address(args, 3),
    spikes = address(args, 4),
    width = whole(args, 6);
  const decay = real(args, 7),
    threshold = real(args, 8),
    reset = real(args, 9),
    rest = whole(args, 10);
  const words = (width + 31) >> 5;
  for (let item = first; item < last; item++) {
    const start = (item % words) << 5,
      count = min(32, width - start);
    const from = bytes(width) * (item / words) + bytes(start);
    let word: u32 = 0;
    for (let n = 0; n < count; n++) {
      const at = from + bytes(n),
        left = load<i32>(refractory + at);
      const isRested = left == 0;
      const u = decay * load<f32>(membrane + at) + (isRested ? load<f32>(current + at) : 0);
      const fires = isRested && u > threshold + load<f32>(offset + bytes(start + n));
      store<f32>(membrane + at, fires ? reset : u);
      store<i32>(refractory + at, fires ? rest : max(left, 1) - 1);
      word |= (<u32>fires) << n;
    }
    store<u32>(spikes + bytes(item), word);
  }
}

/**
 * lateral_inhibition: every spike pushes all other neurons of its row down.
 *
 *   v_n -= strength (spikes of the row - s_n)
 *
 * Items      rows
 */
export function lateral_inhibition(args: usize, first: i32, last: i32, scratch: usize): void {
  const spikes = address(args, 0),
    membrane = address(args, 1);
  const width = whole(args, 3),
    strength = real(args, 4);
  const words = (width + 31) >> 5;
  for (let row = first; row < last; row++) {
    const from = spikes + bytes(words) * row,
      to = membrane + bytes(width) * row;
    let count: i32 = 0;
    for (let w = 0; w < words; w++) count += <i32>popcnt(load<u32>(from + bytes(w)));
    if (count == 0) continue;
    for (let n = 0; n < width; n++) {
      const own = (load<u32>(from + bytes(n >> 5)) >> (n & 31)) & 1;
      const at = to + bytes(n);
      store<f32>(at, load<f32>(at) - strength * <f32>(count - <i32>own));
    }
  }
}
