import { drawMembranes, drawRaster } from 'spikegrid/pictures';
import { PERIODS, rhythms, STEPS } from './data.js';
import { train } from './network.js';

const equations = /** @type {HTMLTextAreaElement} */ (document.querySelector('#equations'));
const button = /** @type {HTMLButtonElement} */ (document.querySelector('#train'));
const status = /** @type {HTMLOutputElement} */ (document.querySelector('#status'));
const membrane = /** @type {HTMLCanvasElement} */ (document.querySelector('#membrane'));
const raster = /** @type {HTMLCanvasElement} */ (document.querySelector('#raster'));

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
    const { x } = rhythms(PERIODS.length, 3);
    const seen = await model.observe(x.subarray(STEPS, 2 * STEPS), { count: 1 });
    drawMembranes(membrane, seen, { neurons: [0] });
    drawRaster(raster, seen);
    model.close();
    status.value = `trained here: accuracy ${(100 * accuracy).toFixed(1)} %`;
  } catch (error) {
    status.value = error instanceof Error ? error.message : String(error);
  } finally {
    button.disabled = false;
  }
}
