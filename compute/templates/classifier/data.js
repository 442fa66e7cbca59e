export const CLASSES = ['bar', 'frame', 'disc', 'cross'];

/** Pixels of a drawing in each direction. */
export const SIDE = 16;

/** Half the width of a line. */
const INK = 1.2;

/**
 * Whether there is ink at a place, by its distance from the middle of a shape of that size.
 * @type {((row: number, column: number, size: number) => boolean)[]}
 */
const SHAPES = [
  (row, column, size) => Math.abs(row) < INK && Math.abs(column) < size,
  (row, column, size) => Math.abs(Math.max(Math.abs(row), Math.abs(column)) - size) < INK,
  (row, column, size) => Math.hypot(row, column) < size,
  (row, column, size) => Math.abs(Math.abs(row) - Math.abs(column)) < INK && Math.abs(row) < size,
];

/**
 * Drawings of any size at any place: `x` is `[count, SIDE * SIDE]` from 0 to 1, `y` the class of each.
 * @param {number} count
 * @param {number} seed
 */
export function drawings(count, seed) {
  const x = new Float32Array(count * SIDE * SIDE);
  const y = new Uint8Array(count);
  const random = randomFrom(seed);
  for (let example = 0; example < count; example++) {
    const label = example % SHAPES.length;
    const size = 3 + 3 * random();
    const [top, left] = [6.5 + 3 * random(), 6.5 + 3 * random()];
    for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
      const [row, column] = [Math.floor(pixel / SIDE) - top, (pixel % SIDE) - left];
      x[example * SIDE * SIDE + pixel] = SHAPES[label](row, column, size) ? 1 : 0;
    }
    y[example] = label;
  }
  return { x, y };
}

/**
 * Numbers from 0 to 1, the same for the same seed.
 * @param {number} seed
 */
function randomFrom(seed) {
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
