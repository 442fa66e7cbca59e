import { type Key, philox } from './philox.ts';

const ORDER_STREAM = 0x494d4147;

/** Puts items in an order drawn at random (Fisher and Yates). `draw` gives a whole number from 0 to `last`. */
export function shuffle<T>(
  items: { readonly length: number; [place: number]: T },
  draw: (last: number) => number,
): void {
  for (let last = items.length - 1; last > 0; last--) {
    const place = draw(last);
    // Both places hold items.
    [items[last], items[place]] = [items[place] as T, items[last] as T];
  }
}

/** The numbers below `count` in an order that depends on the key and the epoch alone. */
export function shuffledIndices(count: number, epoch: number, key: Key): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  shuffle(order, (last) => {
    const [word = 0] = philox([last, epoch, 0, ORDER_STREAM], key);
    return Math.floor((word * (last + 1)) / 2 ** 32);
  });
  return order;
}
