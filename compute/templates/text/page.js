import { openText } from 'spikegrid/models';
import { train } from './model.js';

const form = /** @type {HTMLFormElement} */ (document.querySelector('#prompt'));
const button = /** @type {HTMLButtonElement} */ (document.querySelector('#write'));
const status = /** @type {HTMLOutputElement} */ (document.querySelector('#status'));
const text = /** @type {HTMLPreElement} */ (document.querySelector('#text'));

const model = await openModel().catch((error) => {
  status.value = error.message;
  throw error;
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  write(String(new FormData(form).get('prompt')));
});
button.disabled = false;

/** The model that `npm run train` stored; trained here where there is none. */
async function openModel() {
  const manifest = await fetch('model/manifest.json');
  if (manifest.ok) {
    const names = ['manifest.json', ...Object.keys((await manifest.json()).files)];
    const files = names.map(async (name) => {
      const file = await fetch(`model/${name}`);
      return /** @type {const} */ ([name, new Uint8Array(await file.arrayBuffer())]);
    });
    status.value = 'opened model/';
    return openText(new Map(await Promise.all(files)), { device: 'wasm' });
  }
  const trained = await train(await (await fetch('text.txt')).text(), {
    onReport: ({ loss, progress }) => {
      status.value = `training, ${Math.round(100 * progress)} %: loss ${loss.toFixed(3)} nats a character`;
    },
  });
  status.value = `trained here: loss ${trained.losses.at(-1)?.toFixed(3)} nats a character`;
  return trained;
}

/** @param {string} prompt */
async function write(prompt) {
  button.disabled = true;
  text.textContent = prompt;
  try {
    for await (const piece of model.write(prompt, { tokens: 200 })) text.append(piece);
  } catch (error) {
    status.value = error instanceof Error ? error.message : String(error);
  } finally {
    button.disabled = false;
  }
}
