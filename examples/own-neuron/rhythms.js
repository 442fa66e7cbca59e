/** Pulses in one of three rhythms, every 4, 7 or 11 steps, from a step drawn at random: `x` is `[count, 50, 1]`. */
export function rhythms(count, seed) {
  const steps = 50;
  const x = new Float32Array(count * steps);
  const y = new Uint8Array(count);
  let state = seed >>> 0;
  for (let example = 0; example < count; example++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const period = [4, 7, 11][example % 3];
    const first = Math.floor((state / 2 ** 32) * period);
    for (let step = first; step < steps; step += period) x[example * steps + step] = 1;
    y[example] = example % 3;
  }
  return { x, y };
}
