import { keyOf, philox, uniformFrom } from '../../engine/index.ts';

/** Standard normal numbers of a seed, in order: Philox through the transform of Box and Muller. */
export function normals(seed: number): () => number {
  let drawn = 0;
  return () => {
    const [first = 0, second = 0] = philox([drawn++, 0, 0, 0], keyOf(seed));
    const radius = Math.sqrt(-2 * Math.log(1 - uniformFrom(first)));
    return radius * Math.cos(2 * Math.PI * uniformFrom(second));
  };
}
