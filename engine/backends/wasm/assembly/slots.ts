import { SlotSpikeCount } from './generated/arguments';
import { bytes } from './bytes';

/** The slot of the state that a row goes on from. */
export function slotOf(word: u32): i32 {
  return <i32>(word & 0x7fffffff);
}

/** True where a sequence begins: the content of its slot counts as zero. */
export function isFresh(word: u32): bool {
  return word >> 31 != 0;
}

/**
 * slot_spike_count: adds the spikes of each row, over all time steps, to the count of its slot.
 *
 * Items      rows of one time step
 */
export function slot_spike_count(args: SlotSpikeCount, first: i32, last: i32): void {
  const spikes = args.spikesAt,
    slots = args.slotsAt,
    counts = args.countsAt;
  const steps = args.steps,
    rows = args.rows,
    words = (args.width + 31) >> 5;
  const layers = args.layers,
    layer = args.layer;
  for (let row = first; row < last; row++) {
    const slot = load<u32>(slots + bytes(row));
    const to = counts + bytes(slotOf(slot) * layers + layer);
    let count = isFresh(slot) ? 0 : load<u32>(to);
    for (let t = 0; t < steps; t++) {
      const from = spikes + bytes(words) * (t * rows + row);
      for (let w = 0; w < words; w++) count += popcnt(load<u32>(from + bytes(w)));
    }
    store<u32>(to, count);
  }
}
