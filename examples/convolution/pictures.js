import { arrayExamples, readIdx } from 'spikegrid/data';

/**
 * Fashion-MNIST where its four files lie in `folder`, else pictures made here: bars, frames, discs and crosses of
 * any size at any place, under noise.
 */
export async function pictures(folder) {
  if (folder === undefined) return { train: made(800, 1), test: made(200, 2), epochs: 5 };
  const { readFile } = await import('node:fs/promises');
  const read = async (name) => (await readIdx(await readFile(`${folder}/${name}-ubyte.gz`))).data;
  const part = async (name) => {
    const [x, y] = await Promise.all([read(`${name}-images-idx3`), read(`${name}-labels-idx1`)]);
    return arrayExamples({ x, y, scale: 1 / 255 });
  };
  return { train: await part('train'), test: await part('t10k'), epochs: 5 };
}

const shapes = [
  (row, column, size) => Math.abs(row) < 2 && Math.abs(column) < size,
  (row, column, size) => Math.abs(Math.max(Math.abs(row), Math.abs(column)) - size) < 1,
  (row, column, size) => Math.hypot(row, column) < size,
  (row, column, size) => Math.abs(Math.abs(row) - Math.abs(column)) < 2 && Math.abs(row) < size,
];

function made(count, seed) {
  const x = new Float32Array(count * 784);
  const y = new Uint8Array(count);
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let picture = 0; picture < count; picture++) {
    y[picture] = picture % shapes.length;
    const [size, top, left] = [4 + 4 * random(), 8 + 12 * random(), 8 + 12 * random()];
    for (let pixel = 0; pixel < 784; pixel++) {
      const [row, column] = [Math.floor(pixel / 28) - top, (pixel % 28) - left];
      const isInk = shapes[y[picture]](row, column, size);
      x[784 * picture + pixel] = (isInk ? 0.8 : 0) + 0.2 * random();
    }
  }
  return arrayExamples({ x, y });
}
