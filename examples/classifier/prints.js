/**
 * Pictures of 28 x 28 numbers from 0 to 1, of ten classes: a blot of each class at a place of its own, a little
 * moved, under noise. They stand in for MNIST, which no package brings.
 */
export function prints(count, seed) {
  const x = new Float32Array(count * 784);
  const y = new Uint32Array(count);
  const random = randomFrom(seed);
  for (let example = 0; example < count; example++) {
    const label = example % 10;
    const angle = (2 * Math.PI * label) / 10;
    const [row, column] = [Math.sin(angle), Math.cos(angle)].map(
      (at) => 14 + 8 * at + 2 * random(),
    );
    for (let place = 0; place < 784; place++) {
      const far = (Math.floor(place / 28) - row) ** 2 + ((place % 28) - column) ** 2;
      x[example * 784 + place] = Math.exp(-far / 18) * 0.8 + 0.2 * random();
    }
    y[example] = label;
  }
  return { x, y };
}

/** Numbers from 0 to 1 (Numerical Recipes' linear congruential generator). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
