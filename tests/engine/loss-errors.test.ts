import { describe, expect, it } from 'vitest';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { ownLoss, weightedLoss } from '../../engine/losses/combine.ts';
import { crossEntropyLoss, perStepLoss } from '../../engine/losses/cross-entropy.ts';
import { type Loss, targetTensor, traceLoss } from '../../engine/losses/loss.ts';
import { rateBoundsLoss, rateNormLoss } from '../../engine/losses/rates.ts';
import { vanRossumLoss } from '../../engine/losses/squared-error.ts';
import { formula } from '../../engine/ops/formula.ts';
import { clockInput } from '../../engine/ops/step-inputs.ts';

const SHAPE = { steps: 5, rows: 3, width: 37 };
const layout = layOutParameters([
  {
    name: 'current',
    shape: [5, 3, 37],
    initial: { kind: 'constant', value: 0 },
    decayed: false,
  },
]);

describe('a loss', () => {
  it.each([
    [() => perStepLoss({ lambda: 2 }), /lambda is 2: expected a number from 0 to 1/],
    [() => rateBoundsLoss({ lower: 0.5, upper: 0.25 }), /rates from 0.5 to 0.25: expected a lower/],
    [() => weightedLoss([]), /no losses/],
    [
      () =>
        weightedLoss([
          { loss: crossEntropyLoss(), weight: 1 },
          { loss: vanRossumLoss({ tau: 2 }), weight: 1 },
        ]),
      /takes classes, .* takes trains: expected losses that take the same/,
    ],
  ])('refuses settings that cannot be, %#', (make, message) => {
    expect(make).toThrow(message);
  });

  const bare = { name: 'head', layers: [] };
  it.each<[Loss, RegExp]>([
    [crossEntropyLoss(), /last layer, head, gives no spikes: expected a layer of neurons/],
    [crossEntropyLoss({ on: 'membranes-max' }), /gives no membranes/],
    [crossEntropyLoss({ on: 'values' }), /gives no numbers/],
    [crossEntropyLoss({ on: 'membrane' as 'rates' }), /on is "membrane": expected one of values, /],
    [perStepLoss({ on: 'spike' as 'spikes' }), /on is "spike": expected one of membranes, spikes/],
    [rateNormLoss(), /the network has no layer that fires/],
    [rateNormLoss({ layers: ['a'] }), /there is no layer "a" that fires/],
    [vanRossumLoss({ tau: 0 }), /gives no spikes/],
  ])('says what a network lacks for it, %#', (loss, message) => {
    const graph = new Graph('loss', layout);
    const target = targetTensor(graph, loss, SHAPE);
    expect(() => loss.trace(graph, bare, target)).toThrow(message);
  });

  it('says where targets are missing, and what is no loss of a row', () => {
    const graph = new Graph('loss', layout);
    const outputs = { name: 'head', values: graph.parameter('current'), layers: [] };
    const whole = ownLoss('whole', () => graph.parameter('current'));
    const options = { history: graph.local('h', 'f32', [1]), clock: clockInput(graph) };

    expect(() => crossEntropyLoss().trace(graph, outputs, undefined)).toThrow(/none were given/);
    expect(() => traceLoss(graph, whole, { outputs, target: undefined }, options)).toThrow(
      /loss whole: expected one number a row, f32\[1, rows, 1\], got f32\[5, 3, 37\]/,
    );
  });
});

describe('a formula', () => {
  const graph = new Graph('formula', layout);
  const x = graph.parameter('current');
  const short = graph.local('short', 'f32', [5, 3, 1]);

  it.each([
    ['x +', { x }, /formula: line 1, column 4/],
    ['y * x', { x }, /y/],
    ['x', { output: x }, /an input of a formula is named "output"/],
    ['x', { 'x y': x }, /is named "x y": expected a letter/],
    ['x', {}, /there are no inputs/],
    ['x + y', { x, y: short }, /expected f32\[5, 3, 37\], got short f32\[5, 3, 1\]/],
  ])('%s is refused where it is given', (text, inputs, message) => {
    expect(() => formula(graph, text, inputs)).toThrow(message);
  });
});
