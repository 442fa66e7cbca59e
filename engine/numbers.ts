/** The index of the largest number, the first of several. */
export function argmax(numbers: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < numbers.length; i++) {
    if ((numbers[i] ?? 0) > (numbers[best] ?? 0)) best = i;
  }
  return best;
}

/** Scores as probabilities; a high temperature makes them alike. */
export function softmax(scores: Float32Array, temperature = 1): number[] {
  const largest = scores[argmax(scores)] ?? 0;
  const powers = Array.from(scores, (score) => Math.exp((score - largest) / temperature));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
