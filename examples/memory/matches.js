/**
 * Delayed match: one of four cues, a pause, and a cue again; class 1 where both are the same. Spikes of 20 neurons, 5
 * for each cue, over 30 steps, with noise: `x` is `[count, 30, 20]`, 0 or 1.
 */
export function matches(count, seed) {
  const [steps, neurons] = [30, 20];
  const x = new Uint8Array(count * steps * neurons);
  const y = new Uint8Array(count);
  let state = (Math.imul(seed + 1, 2654435761) + 12345) >>> 0;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const cue = () => Math.floor(4 * random());
  for (let example = 0; example < count; example++) {
    const first = cue();
    const second = random() < 0.5 ? first : cue();
    y[example] = first === second ? 1 : 0;
    for (let at = 0; at < steps * neurons; at++) {
      const [step, neuron] = [Math.floor(at / neurons), at % neurons];
      const shown = step < 6 ? first : step >= 20 && step < 26 ? second : -1;
      const rate = Math.floor(neuron / 5) === shown ? 0.6 : 0.02;
      x[example * steps * neurons + at] = random() < rate ? 1 : 0;
    }
  }
  return { x, y };
}
