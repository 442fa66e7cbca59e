import { describe, expect, it } from 'vitest';
import { createTraceBuffer } from '../../../web/widgets/buffers/trace-buffer.ts';
import { scaleOf } from '../../../engine/pictures/trace-scale.ts';
import {
  describeStep,
  describeTraces,
  tracesTable,
} from '../../../web/widgets/membrane-traces/trace-words.ts';
import { fc } from '../seeded.ts';
import { text } from './chart-english.ts';

describe('the scale of the traces', () => {
  it('holds every potential, rest and every threshold', () => {
    const potential = fc.double({ min: -100, max: 100, noNaN: true });
    const threshold = fc.double({ min: 0.01, max: 50, noNaN: true });
    fc.assert(
      fc.property(fc.array(potential), fc.tuple(threshold, threshold), (values, thresholds) => {
        const buffer = createTraceBuffer(2, 64);
        for (const value of values) buffer.push([value, -value], [0, 0]);
        const { low, high } = scaleOf(buffer, thresholds);
        const all = [0, ...thresholds, ...buffer.potentials(0), ...buffer.potentials(1)];

        expect(low).toBeLessThanOrEqual(Math.min(...all));
        expect(high).toBeGreaterThanOrEqual(Math.max(...all));
        expect(high).toBeGreaterThan(low);
      }),
    );
  });

  it('stands still while the potentials stay within it', () => {
    const buffer = createTraceBuffer(1, 8);
    buffer.push([0.2], [0]);
    const before = scaleOf(buffer, 1);

    buffer.push([1.3], [1]);

    expect(scaleOf(buffer, 1)).toEqual(before);
  });

  it('is not empty for a neuron at rest whose threshold is 0', () => {
    const { low, high } = scaleOf(createTraceBuffer(1, 2), 0);

    expect(high).toBeGreaterThan(low);
  });
});

describe('the words of the traces', () => {
  const buffer = createTraceBuffer(2, 3);
  for (const step of [0, 1, 2, 3, 4]) buffer.push([step / 4, 1.25], [0, step % 2]);
  const view = { buffer, range: { from: 2, to: 5 }, names: ['A', 'B'], thresholds: [2, 1] };

  it('are a sentence for each neuron', () => {
    expect(describeTraces(text, view)).toEqual([
      'A: 1, threshold 2; 0 spikes in 3 steps.',
      'B: 1.25, threshold 1; 1 spike in 3 steps.',
    ]);
  });

  it('are none before the first step', () => {
    expect(describeTraces(text, { ...view, range: { from: 2, to: 2 } })).toEqual([]);
  });

  it('read all neurons at one step, by the step numbers of the buffer', () => {
    expect(describeStep(text, view, 3)).toBe('Step 3: A 0.75 and B 1.25 with a spike');
  });

  it('make a table with the newest step first', () => {
    const { columns, rows } = tracesTable(text, view);

    expect(columns).toEqual(['Step', 'A', 'B']);
    expect(rows).toEqual([
      ['4', '1', '1.25'],
      ['3', '0.75', '1.25 spike'],
      ['2', '0.5', '1.25'],
    ]);
  });
});
