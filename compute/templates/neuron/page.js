import { PERIODS, rhythms, STEPS } from './data.js';
import { train } from './network.js';

const equations = /** @type {HTMLTextAreaElement} */ (document.querySelector('#equations'));
const button = /** @type {HTMLButtonElement} */ (document.querySelector('#train'));
const status = /** @type {HTMLOutputElement} */ (document.querySelector('#status'));
const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#inside'));

equations.value = await (await fetch('neuron.txt')).text();
button.addEventListener('click', run);
await run();

/** Trains with the equations as they stand, and looks inside. */
async function run() {
  button.disabled = true;
  try {
    const { model, accuracy } = await train(equations.value, {
      onReport: ({ epoch, epochs, loss }) => {
        status.value = `training, epoch ${epoch} of ${epochs}: loss ${loss.toFixed(3)}`;
      },
    });
    const [heard] = (
      await model.observe(rhythms(PERIODS.length, 3).x.subarray(STEPS, 2 * STEPS), { count: 1 })
    ).layers;
    draw(heard);
    model.close();
    status.value = `trained here: accuracy ${(100 * accuracy).toFixed(1)} %`;
  } catch (error) {
    status.value = error instanceof Error ? error.message : String(error);
  } finally {
    button.disabled = false;
  }
}

/** @param {import('spikegrid').LayerObservation} layer */
function draw({ spikes, membranes = new Float32Array(spikes.length), rates }) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const [neurons, wide] = [rates.length, canvas.width / STEPS];
  const trace = Array.from({ length: STEPS }, (_, step) => membranes[step * neurons]);
  const [low, high] = [Math.min(...trace), Math.max(...trace)];
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.strokeStyle = 'teal';
  context.beginPath();
  for (const [step, u] of trace.entries()) {
    context.lineTo((step + 0.5) * wide, 90 - (80 * (u - low)) / (high - low || 1));
  }
  context.stroke();
  context.fillStyle = 'teal';
  for (const [at, spike] of spikes.entries()) {
    if (spike === 0) continue;
    context.fillRect(Math.floor(at / neurons) * wide, 100 + 5 * (at % neurons), wide - 1, 4);
  }
}
