export const STEPS = 50;

/** Steps between two pulses, of each class. */
export const PERIODS = [4, 7, 11];

/**
 * Pulses in one of the rhythms, from a step drawn at random: `x` is `[count, STEPS, 1]`, 0 or 1, `y` the class.
 * @param {number} count
 * @param {number} seed
 */
export function rhythms(count, seed) {
  const x = new Float32Array(count * STEPS);
  const y = new Uint8Array(count);
  let state = seed >>> 0;
  for (let example = 0; example < count; example++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const label = example % PERIODS.length;
    const period = PERIODS[label];
    const first = Math.floor((state / 2 ** 32) * period);
    for (let step = first; step < STEPS; step += period) x[example * STEPS + step] = 1;
    y[example] = label;
  }
  return { x, y };
}
