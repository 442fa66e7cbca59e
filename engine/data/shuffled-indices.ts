import { type Key, philox } from '../random/philox.ts';

const ORDER_STREAM = 0x494d4147;

/** The numbers from 0 to before `count` in an order that follows from the key and the epoch (Fisher and Yates). */
export function shuffledIndices(count: number, epoch: number, key: Key): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const [word = 0] = philox([i, epoch, 0, ORDER_STREAM], key);
    const j = Math.floor((word * (i + 1)) / 2 ** 32);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}
