import { philox } from '../random/philox.ts';

/** One example in so many is held back for validation where the data does not say which. */
const HELD_BACK = 10;
const HELD_BACK_STREAM = 0x48454c44;

/** Whether an example is held back: a draw that depends on its place alone, so that every run parts alike. */
export function isHeldOut(place: number): boolean {
  return (philox([place, 0, 0, HELD_BACK_STREAM], [0, 0])[0] ?? 0) % HELD_BACK === 0;
}
