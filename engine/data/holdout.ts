import { philox } from '../random/philox.ts';

/** One example in so many is held out for validation if the data has no split. */
const HELD_BACK = 10;
const HELD_BACK_STREAM = 0x48454c44;

/** Whether an example is held out: a draw from its index alone, so that all runs have the same split. */
export function isHeldOut(place: number): boolean {
  return (philox([place, 0, 0, HELD_BACK_STREAM], [0, 0])[0] ?? 0) % HELD_BACK === 0;
}
