import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTIONS, eventsOfPath, recordings, SIDE } from '../data.js';
import { framesOf, train } from '../network.js';

test('a disc that moves right turns pixels brighter in front of it and darker behind', () => {
  const { x, p, width } = eventsOfPath([
    { x: 6, y: 8 },
    { x: 7, y: 8 },
  ]);
  const columns = (/** @type {number} */ polarity) => x.filter((_, i) => p[i] === polarity);
  assert.equal(width, SIDE);
  assert.ok(Math.min(...columns(1)) > Math.max(...columns(0)));
});

test('the network learns directions from the order of events alone', async () => {
  const { model, accuracy } = await train({ epochs: 4 });
  assert.ok(accuracy > 0.8, `accuracy ${accuracy}, chance is 0.25`);

  const [{ events, label }] = recordings(1, 3);
  const { classes } = await model.predict(framesOf(events), { count: 1 });
  assert.equal(DIRECTIONS[classes[0]], DIRECTIONS[label]);
  model.close();
});
