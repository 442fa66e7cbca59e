import { load } from 'spikegrid';
import { DIRECTIONS, eventsOfPath, SIDE } from './data.js';
import { framesOf, train } from './network.js';

const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#sensor'));
const status = /** @type {HTMLOutputElement} */ (document.querySelector('#status'));
const scores = /** @type {HTMLTableElement} */ (document.querySelector('#scores'));

/** Places of the pointer that the network is shown at a time. */
const SHOWN = 24;

const model = await openModel().catch((error) => {
  status.value = error.message;
  throw error;
});
/** @type {{ x: number, y: number }[]} */
const places = [];
/** One prediction after another. */
let shown = Promise.resolve();
canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
  const scale = SIDE / canvas.clientWidth;
  places.push({ x: offsetX * scale - 0.5, y: offsetY * scale - 0.5 });
  if (places.length > SHOWN) places.shift();
  shown = shown.then(show);
});
canvas.addEventListener('pointerleave', () => places.splice(0));

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

/** Draws the latest events, brighter ones green, and the spikes of each direction that they cause. */
async function show() {
  if (places.length === 0) return;
  const events = eventsOfPath(places);
  const image = new ImageData(SIDE, SIDE);
  for (const [i, p] of events.p.entries()) {
    image.data.set(
      p === 1 ? [0, 160, 80, 255] : [160, 80, 0, 255],
      4 * (events.y[i] * SIDE + events.x[i]),
    );
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  const { scores: spikes } = await model.predict(framesOf(events), { count: 1 });
  scores.replaceChildren(
    ...DIRECTIONS.map((name, i) => {
      const row = document.createElement('tr');
      row.insertCell().textContent = name;
      row.insertCell().textContent = '▮'.repeat(spikes[i]);
      return row;
    }),
  );
}
