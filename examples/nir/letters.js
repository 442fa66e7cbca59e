/** Spikes of 12 taxels that pass over one of seven letters in 50 steps: `x` is `[count, 50, 12]`, 0 or 1. */
export function letters(count, seed) {
  const [steps, taxels] = [50, 12];
  const x = new Uint8Array(count * steps * taxels);
  const y = new Uint8Array(count);
  let state = (Math.imul(seed + 1, 2654435761) + 12345) >>> 0;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let example = 0; example < count; example++) {
    const letter = Math.floor(7 * random());
    y[example] = letter;
    for (let at = 0; at < steps * taxels; at++) {
      const [step, taxel] = [Math.floor(at / taxels), at % taxels];
      const isTouched = DOTS[letter][step < steps / 2 ? 0 : 1] === taxel % 3;
      x[example * steps * taxels + at] = random() < (isTouched ? 0.4 : 0.005) ? 1 : 0;
    }
  }
  return { x, y };
}

/** The row of taxels that a letter touches first, and the one behind. */
const DOTS = ['01', '02', '10', '12', '20', '21', '00'].map((pair) => [...pair].map(Number));

/** Signals of a file that `record.py` wrote, by layer. */
export function signalsOf(arrays) {
  const signals = {};
  for (const [name, { data }] of arrays) {
    const [, layer, signal] = /^(.*)\.(.*)$/.exec(name) ?? [];
    if (layer) signals[layer] = { ...signals[layer], [signal]: data };
  }
  return signals;
}
