/** Bars, poles, crosses and rings of 28 x 28 pixels from 0 to 1, of any size at any place, drawn with a pen. */
export function shapes(count, seed) {
  const x = new Float32Array(count * 784);
  const y = new Uint8Array(count);
  let state = (Math.imul(seed + 1, 2654435761) + 12345) >>> 0;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let example = 0; example < count; example++) {
    y[example] = example % 4;
    const [size, top, left] = [5 + 5 * random(), 11 + 6 * random(), 11 + 6 * random()];
    const [lean, pen] = [0.3 * random() - 0.15, 1 + 0.6 * random()];
    for (let pixel = 0; pixel < 784; pixel++) {
      const [row, column] = [Math.floor(pixel / 28) - top, (pixel % 28) - left];
      const [down, right] = [row + lean * column, column - lean * row];
      const distance = distances[y[example]](down, right, size);
      x[784 * example + pixel] = Math.min(1, Math.max(0, pen + 0.5 - distance));
    }
  }
  return { x, y };
}

const bar = (down, right, size) => Math.hypot(down, Math.max(0, Math.abs(right) - size));
const pole = (down, right, size) => bar(right, down, size);
/** How far a pixel is from the line that is drawn. */
const distances = [
  bar,
  pole,
  (...at) => Math.min(bar(...at), pole(...at)),
  (down, right, size) => Math.abs(Math.hypot(down, right) - size),
];
