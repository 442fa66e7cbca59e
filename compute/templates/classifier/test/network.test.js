import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'spikegrid';
import { CLASSES, drawings, SIDE } from '../data.js';
import { train } from '../network.js';

test('drawings are of all classes, and the same for one seed', () => {
  const { x, y } = drawings(8, 1);
  assert.equal(x.length, 8 * SIDE * SIDE);
  assert.deepEqual(new Set(y), new Set(CLASSES.keys()));
  assert.deepEqual(drawings(8, 1).x, x);
  assert.notDeepEqual(drawings(8, 2).x, x);
});

test('the network learns, and predicts the same once it is stored', async () => {
  const { model, accuracy } = await train({ count: 1000, epochs: 3 });
  assert.ok(accuracy > 0.8, `accuracy ${accuracy}, chance is 0.25`);

  const { x } = drawings(20, 3);
  const stored = await load(model.save(), { device: 'wasm' });
  assert.deepEqual((await stored.predict(x)).scores, (await model.predict(x)).scores);
  stored.close();
  model.close();
});
