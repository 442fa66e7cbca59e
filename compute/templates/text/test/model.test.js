import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openText } from 'spikegrid/models';
import { train } from '../model.js';

const text = await readFile(new URL('../text.txt', import.meta.url), 'utf8');

test('it learns more than which characters there are, and writes the same once it is stored', async () => {
  const model = await train(text, { steps: 100 });
  const loss = model.losses.slice(-10).reduce((sum, one) => sum + one / 10, 0);
  const alphabet = new Set(text).size;
  assert.ok(loss < 0.8 * Math.log(alphabet), `loss ${loss}, chance is ${Math.log(alphabet)}`);

  const stored = await openText(await model.files(), { device: 'wasm' });
  const written = await textOf(model);
  assert.ok(written.length > 0);
  assert.equal(await textOf(stored), written);
  stored.close();
  model.close();
});

/** @param {import('spikegrid/models').TextModel} model */
async function textOf(model) {
  let written = '';
  for await (const piece of model.write('Tiger', { tokens: 20, seed: 1 })) written += piece;
  return written;
}
