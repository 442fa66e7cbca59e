import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PERIODS, rhythms, STEPS } from '../data.js';
import { networkOf, train } from '../network.js';

const equations = await readFile(new URL('../neuron.txt', import.meta.url), 'utf8');

test('pulses come in the period of their class', () => {
  const { x, y } = rhythms(6, 1);
  for (const [example, label] of y.entries()) {
    const steps = [...x.subarray(example * STEPS, (example + 1) * STEPS).entries()];
    const [first, second] = steps.filter(([, pulse]) => pulse === 1);
    assert.equal(second[0] - first[0], PERIODS[label]);
  }
});

test('the neurons learn rhythms, each a frequency of its own', async () => {
  const { model, accuracy } = await train(equations, { count: 300 });
  assert.ok(accuracy > 0.8, `accuracy ${accuracy}, chance is 0.33`);
  const frequencies = model.parameter('neurons.omega');
  assert.equal(new Set(frequencies).size, frequencies.length);
  model.close();
});

test('equations that cannot be read are refused', () => {
  assert.throws(() => networkOf('state v = 0\nv = v + I\ns = spike(v - tau)'), /tau/);
});
