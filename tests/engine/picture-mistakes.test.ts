import { describe, expect, it } from 'vitest';
import {
  type Context2d,
  drawCurves,
  drawMembranes,
  drawRaster,
  drawRates,
  drawWeights,
  type PictureTarget,
  svgPicture,
} from '../../engine/pictures.ts';
import { observed } from './observed-network.ts';

describe('mistakes', () => {
  const model = {
    layout: { parameters: [{ spec: { name: 'hidden.weight', shape: [1, 1] } }] } as never,
    parameter: () => Float32Array.of(0),
  };
  const seen = observed({ steps: 10, layers: { hidden: 8, output: 2 }, fires: () => false });
  const bare = { ...seen, layers: seen.layers.map(({ membranes: _membranes, ...layer }) => layer) };
  const draw = (call: (canvas: PictureTarget) => void, size = {}) => svgPicture(call, size);
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    [
      'a layer that there is not',
      () => draw((canvas) => drawRaster(canvas, seen, { layer: 'hiden' })),
      'drawRaster: there is no layer "hiden": expected one of hidden, output',
    ],
    [
      'an example that there is not',
      () => draw((canvas) => drawMembranes(canvas, seen, { example: 1 })),
      'drawMembranes: example is 1: expected a whole number from 0 to 0',
    ],
    [
      'a neuron that there is not',
      () => draw((canvas) => drawRaster(canvas, seen, { layer: 'output', neurons: [2] })),
      'drawRaster: layer "output" has no neuron 2: expected whole numbers from 0 to 1',
    ],
    [
      'more neurons than there is room for',
      () =>
        draw((canvas) =>
          drawMembranes(canvas, seen, { layer: 'hidden', neurons: Array(40).fill(1) }),
        ),
      'drawMembranes: neurons has 40: expected at most 22 in this height',
    ],
    [
      'a layer without membranes',
      () => draw((canvas) => drawMembranes(canvas, bare, { layer: 'hidden' })),
      'drawMembranes: layer "hidden" keeps no membranes: expected neurons that have them, such as lif()',
    ],
    [
      'no observation',
      () => draw((canvas) => drawRates(canvas, new Float32Array(3) as never)),
      'drawRates: it is given no observation: expected what model.observe(x) returns',
    ],
    [
      'an observation whose parts do not fit',
      () => draw((canvas) => drawRates(canvas, { ...seen, steps: 9 })),
      'drawRates: layer "hidden" has 80 spikes and 80 membranes: expected 72 each, of 9 time steps, 1 examples and 8 neurons',
    ],
    [
      'a network without neurons',
      () => draw((canvas) => drawRaster(canvas, { ...seen, layers: [] })),
      'drawRaster: no layer was observed: expected a network with neurons',
    ],
    [
      'a size of 0',
      () => draw((canvas) => drawRaster(canvas, seen), { height: 0 }),
      'svgPicture: the picture is 640 x 0 px: expected whole numbers from 1 to 16384',
    ],
    [
      'a size out of bounds',
      () => draw((canvas) => drawRaster(canvas, seen), { width: 1e6 }),
      'svgPicture: the picture is 1000000 x 400 px: expected whole numbers from 1 to 16384',
    ],
    [
      'no room for every layer',
      () => draw((canvas) => drawRaster(canvas, seen), { height: 100 }),
      'drawRaster: the picture is 640 x 100 px: expected at least 78 x 120 for 2 plots',
    ],
    [
      'no canvas',
      () => drawRaster(null as never, seen),
      'drawRaster: it is to draw on null: expected a canvas or its 2-D context',
    ],
    [
      'a canvas that has another context',
      () => drawRaster({ width: 9, height: 9, getContext: () => null }, seen),
      'drawRaster: it is to draw on a canvas without a 2-D context: expected a canvas or its 2-D context',
    ],
    [
      'another theme',
      () => draw((canvas) => drawRaster(canvas, seen, { theme: 'blue' as never })),
      'drawRaster: theme is "blue": expected light, dark or an object of colours',
    ],
    [
      'a ratio of 0',
      () => draw((canvas) => drawRaster(canvas, seen, { ratio: 0 })),
      'drawRaster: ratio is 0: expected a number above 0 and up to 8',
    ],
    [
      'a parameter that there is not',
      () => draw((canvas) => drawWeights(canvas, model, { parameter: 'w' })),
      'drawWeights: there is no parameter "w": expected one of hidden.weight',
    ],
    [
      'no curve',
      () => draw((canvas) => drawCurves(canvas, { loss: [] })),
      'drawCurves: there is no value to draw: expected at least one step',
    ],
    [
      'a curve that is no array',
      () => draw((canvas) => drawCurves(canvas, { loss: 3 as never })),
      'drawCurves: "loss" is 3: expected an array of numbers, or { x, y } of two',
    ],
    [
      'more curves than can be told apart',
      () =>
        draw((canvas) => drawCurves(canvas, { a: [], b: [], c: [], d: [], e: [], f: [], g: [] })),
      'drawCurves: there are 7 curves: expected at most 6, as many as have a colour and a dash',
    ],
    [
      'an x that falls',
      () => draw((canvas) => drawCurves(canvas, { loss: { x: [1, 3, 2], y: [1, 1, 1] } })),
      'drawCurves: x of "loss" is 2 behind 3: expected finite numbers that do not fall',
    ],
    [
      'an x of another length',
      () => draw((canvas) => drawCurves(canvas, { loss: { x: [1, 3], y: [1, 1, 1] } })),
      'drawCurves: "loss" has 2 x and 3 y: expected as many',
    ],
    [
      'a moving average that never moves',
      () => draw((canvas) => drawCurves(canvas, { loss: [1] }, { smoothing: 1 })),
      'drawCurves: smoothing is 1: expected a number from 0 to below 1',
    ],
  ];

  it.each(cases)('%s', (_, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: 'EngineError', message }));
  });

  it('leave the context as it was', () => {
    let depth = 0;
    const context = new Proxy({} as Context2d, {
      get(_, name) {
        if (name === 'canvas') return { width: 640, height: 100 };
        if (name === 'save') return () => depth++;
        if (name === 'restore') return () => depth--;
        return () => {};
      },
      set: () => true,
    });
    expect(() => drawRaster(context, seen)).toThrow('expected at least');
    expect(depth).toBe(0);
  });
});
