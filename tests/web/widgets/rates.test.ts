import { lightRows, paintColumn } from '../../../engine/pictures/paint-raster.ts';
import { describe, expect, it } from 'vitest';
import { createSpikeBuffer, packSpikes } from '../../../web/widgets/buffers/spike-buffer.ts';
import { binRates } from '../../../web/widgets/histogram/bin-rates.ts';
import {
  barsOf,
  describeRates,
  histogramTable,
} from '../../../web/widgets/histogram/histogram-words.ts';
import {
  describeNeuron,
  describeRaster,
  rasterTable,
} from '../../../web/widgets/spike-raster/raster-words.ts';
import { fc } from '../seeded.ts';
import { text } from './chart-english.ts';

describe('binRates', () => {
  it('puts every neuron into exactly one place', () => {
    const rates = fc.array(fc.double({ min: 0, max: 1, noNaN: true }));
    const options = fc.record({
      bins: fc.integer({ min: 1, max: 40 }),
      saturatedAt: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(rates, options, (all, how) => {
        const { dead, saturated, bins } = binRates(all, how);
        const binned = bins.reduce((sum, { count }) => sum + count, 0);

        expect(dead + saturated + binned).toBe(all.length);
        expect(dead).toBe(all.filter((rate) => rate === 0).length);
        expect(saturated).toBe(all.filter((rate) => rate >= how.saturatedAt).length);
      }),
    );
  });

  it('puts a rate into the bin around it', () => {
    const { bins, centre } = binRates([0.05, 0.15, 0.15, 0.24], { bins: 5, saturatedAt: 0.5 });

    expect(bins.map(({ count }) => count)).toEqual([1, 2, 1, 0, 0]);
    expect(bins[1]).toMatchObject({ from: 0.1, to: 0.2 });
    expect(centre).toEqual({ kind: 'median', rate: 0.15 });
  });

  it('has no median without neurons', () => {
    expect(binRates([], { bins: 2, saturatedAt: 0.5 }).centre.rate).toBeNaN();
  });
});

describe('the words of a histogram', () => {
  const rates = binRates([0, 0, 0.042, 0.042, 0.9], { bins: 2, saturatedAt: 0.5 });
  const bars = barsOf(text, rates);

  it('are a sentence for the whole and one for each bar', () => {
    expect(describeRates(text, rates)).toBe(
      '5 neurons: median firing rate 4.2%; 2 dead, 1 saturated.',
    );
    expect(bars.map(({ words }) => words)).toEqual([
      'Dead, never fired: 2 neurons',
      '0% to 25%: 2 neurons',
      '25% to 50%: 0 neurons',
      'Saturated, 50% or more: 1 neuron',
    ]);
  });

  it('make a table of the bars', () => {
    expect(histogramTable(text, bars).rows).toEqual([
      ['Dead', '2'],
      ['0% to 25%', '2'],
      ['25% to 50%', '0'],
      ['Saturated', '1'],
    ]);
  });
});

describe('a column of the raster', () => {
  it('lights the row of each neuron that fired, and no other', () => {
    const layer = fc.array(fc.boolean(), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(layer, (spikes) => {
        const rows = new Uint8Array(spikes.length);

        lightRows(packSpikes(spikes), spikes.length, rows);

        // Neuron 0 is at the bottom.
        expect(Array.from(rows, (row) => row === 1).toReversed()).toEqual(spikes);
      }),
    );
  });

  it('loses no spike when several neurons share a row', () => {
    const layer = fc.array(fc.boolean(), { minLength: 2, maxLength: 100 });
    fc.assert(
      fc.property(layer, fc.integer({ min: 1, max: 20 }), (spikes, height) => {
        const rows = new Uint8Array(Math.min(height, spikes.length));
        lightRows(packSpikes(spikes), spikes.length, rows);

        const rowOf = (neuron: number) =>
          rows.length - 1 - Math.floor((neuron * rows.length) / spikes.length);
        const fired = [...spikes.keys()].filter((neuron) => spikes[neuron]);
        const lit = [...rows.keys()].filter((row) => rows[row] === 1);
        expect(new Set(lit)).toEqual(new Set(fired.map(rowOf)));
      }),
    );
  });

  it('fills the lit rows, and no other, with or without gaps between them', () => {
    const lit = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lit, fc.constantFrom(0, 2), (rows, gap) => {
        const filled = new Uint8Array(10 * rows.length);
        const fillRect = (_x: number, y: number, _width: number, height: number) =>
          void filled.fill(1, y, y + height);

        const place = { left: 0, width: 1, top: (row: number) => 10 * row, gap };
        paintColumn({ fillRect }, Uint8Array.from(rows), place);

        const wanted = Array.from(filled, (_, y) => {
          const isEdge = (y % 10 === 0 && y > 0) || (y % 10 === 9 && y < filled.length - 1);
          return gap > 0 && isEdge ? 0 : rows[Math.floor(y / 10)];
        });
        expect([...filled]).toEqual(wanted);
      }),
    );
  });
});

describe('the words of a raster', () => {
  it('are its mean rate and how many are silent', () => {
    expect(describeRaster(text, Uint32Array.of(0, 10, 20, 0), 100)).toBe(
      '4 neurons, mean firing rate 7.5% over 100 steps; 2 silent.',
    );
  });

  it('read one neuron', () => {
    expect(describeNeuron(text, 1234, 1, 240)).toBe('Neuron 1234: 1 spike in 240 steps (0.4%)');
  });

  it('make a table with a row for every neuron', () => {
    const buffer = createSpikeBuffer(3, 4);
    buffer.push(packSpikes([1, 0, 1]));
    buffer.push(packSpikes([1, 0, 0]));

    const { rows } = rasterTable(text, buffer, { from: 0, to: 2 });

    expect(rows).toEqual([
      ['0', '2', '100%'],
      ['1', '0', '0%'],
      ['2', '1', '50%'],
    ]);
  });
});
