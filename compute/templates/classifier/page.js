import { load } from 'spikegrid';
import { CLASSES, SIDE } from './data.js';
import { train } from './network.js';

const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#drawing'));
const clear = /** @type {HTMLButtonElement} */ (document.querySelector('#clear'));
const status = /** @type {HTMLOutputElement} */ (document.querySelector('#status'));
const scores = /** @type {HTMLTableElement} */ (document.querySelector('#scores'));

const ink = new Float32Array(SIDE * SIDE);
const model = await openModel().catch((error) => {
  status.value = error.message;
  throw error;
});
clear.addEventListener('click', () => {
  ink.fill(0);
  shown = shown.then(show);
});
canvas.addEventListener('pointerdown', draw);
canvas.addEventListener('pointermove', draw);
/** One prediction after another. */
let shown = show();

/** The model that `npm run train` stored; trained here where there is none. */
async function openModel() {
  const stored = await fetch('model.safetensors');
  if (stored.ok) {
    status.value = 'opened model.safetensors';
    return load(await stored.arrayBuffer(), { device: 'wasm' });
  }
  const { model: trained, accuracy } = await train({
    onReport: ({ epoch, epochs, loss }) => {
      status.value = `training, epoch ${epoch} of ${epochs}: loss ${loss.toFixed(3)}`;
    },
  });
  status.value = `trained here: accuracy ${(100 * accuracy).toFixed(1)} %`;
  return trained;
}

/** @param {PointerEvent} event */
function draw({ buttons, offsetX, offsetY }) {
  if (buttons === 0) return;
  const [row, column] = [offsetY / canvas.clientHeight, offsetX / canvas.clientWidth];
  for (let pixel = 0; pixel < ink.length; pixel++) {
    const down = Math.floor(pixel / SIDE) - row * SIDE;
    const across = (pixel % SIDE) - column * SIDE;
    if (Math.hypot(down + 0.5, across + 0.5) < 1) ink[pixel] = 1;
  }
  shown = shown.then(show);
}

/** Draws the ink, and the spikes of each class that it causes. */
async function show() {
  const image = new ImageData(SIDE, SIDE);
  for (const [pixel, value] of ink.entries()) image.data.set([0, 128, 128, 255 * value], 4 * pixel);
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  const { scores: spikes } = await model.predict(ink);
  scores.replaceChildren(
    ...CLASSES.map((name, i) => {
      const row = document.createElement('tr');
      row.insertCell().textContent = name;
      row.insertCell().textContent = '▮'.repeat(spikes[i]);
      return row;
    }),
  );
}
