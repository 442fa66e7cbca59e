import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  drawCurves,
  drawMembranes,
  drawRates,
  drawRaster,
  drawWeights,
  type PictureTarget,
  svgPicture,
} from '../../engine/pictures.ts';

/** Of every size that there is, and what is no number. */
const number = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, 5e-324, 1.7e308, -1.7e308),
);
const numbers = fc.array(number, { minLength: 1, maxLength: 40 });

/** Faults of a picture: numbers that are none, in attributes and in paths, and parts that do not end. */
function faultsOf(draw: (canvas: PictureTarget) => void): readonly string[] {
  const svg = svgPicture(draw, { width: 300, height: 200 });
  const elements = svg.replaceAll(/>[^<]*</g, '><');
  const wrong = elements.match(/NaN|Infinity|undefined/g) ?? [];
  const isWhole = svg.match(/<svg/g)?.length === svg.match(/<\/svg>/g)?.length;
  return isWhole ? wrong : [...wrong, 'an <svg> without an end'];
}

const runs = { numRuns: 150, seed: 20 };

it('curves of any values are drawn', () => {
  const options = fc.record({
    scale: fc.constantFrom('linear' as const, 'log' as const),
    smoothing: fc.constantFrom(0, 0.5, 0.99),
  });
  fc.assert(
    fc.property(numbers, numbers, options, (loss, other, look) => {
      expect(faultsOf((canvas) => drawCurves(canvas, { loss, other }, look))).toEqual([]);
    }),
    runs,
  );
});

it('membranes of any values are drawn', () => {
  const threshold = fc.option(number, { nil: undefined });
  fc.assert(
    fc.property(numbers, threshold, (values, level) => {
      const membranes = Float32Array.from(values);
      const spikes = Uint8Array.from(values, (value) => (value > 0 ? 1 : 0));
      const layer = { name: 'a', shape: [1], spikes, membranes, rates: Float32Array.of(0.5) };
      const seen = { steps: values.length, count: 1, layers: [layer] };
      const look = level === undefined ? {} : { threshold: level };
      expect(faultsOf((canvas) => drawMembranes(canvas, seen, look))).toEqual([]);
      expect(faultsOf((canvas) => drawRaster(canvas, seen))).toEqual([]);
    }),
    runs,
  );
});

it('rates and weights of any values are drawn', () => {
  const as = fc.constantFrom('map' as const, 'histogram' as const);
  const by = fc.constantFrom('neuron' as const, 'rate' as const);
  fc.assert(
    fc.property(numbers, as, by, (values, form, kind) => {
      const rates = Float32Array.from(values);
      const layer = {
        name: 'a',
        shape: [rates.length],
        spikes: new Uint8Array(rates.length),
        rates,
      };
      const seen = { steps: 1, count: 1, layers: [layer] };
      expect(faultsOf((canvas) => drawRates(canvas, seen, { by: kind }))).toEqual([]);
      const model = {
        layout: { parameters: [{ spec: { name: 'w', shape: [1, rates.length] } }] } as never,
        parameter: () => rates,
      };
      expect(faultsOf((canvas) => drawWeights(canvas, model, { as: form }))).toEqual([]);
    }),
    runs,
  );
});
