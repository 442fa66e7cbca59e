import { describe, expect, it } from 'vitest';
import {
  crossEntropy,
  evaluate,
  fit,
  init,
  lif,
  linear,
  load,
  networkFrom,
  neuron,
  sequential,
  sgd,
  squaredError,
} from '../../library/index.ts';
import { EngineError } from '../../engine/errors.ts';
import { compile } from '../../library/graph.ts';
import { any, buildingMistakes, type Mistake } from './building-mistakes.ts';
import { dataMistakes, fitting, from, made, network, train, x, y } from './data-mistakes.ts';
import { reference } from './play.ts';

/** Mistakes of newcomers, and the message that each reads. */
const mistakes: Readonly<Record<string, Mistake>> = {
  ...buildingMistakes,
  ...dataMistakes,
  'a loss by name': {
    make: () => train({}, { loss: 'cross-entropy' }),
    code: 'invalid-setting',
    message: 'fit: loss is "cross-entropy": expected a loss, such as crossEntropy()',
  },
  'a learning rate in place of an optimizer': {
    make: () => train({}, { optimizer: 5e-4 }),
    code: 'invalid-setting',
    message: 'fit: optimizer is 0.0005: expected one, such as adamW(5e-4)',
  },
  'early stopping without validation': {
    make: () => train({}, { earlyStopping: { patience: 3 } }),
    code: 'invalid-setting',
    message: 'fit: earlyStopping needs examples to judge by: expected validation',
  },
  'a loss on membranes of a layer without neurons': {
    make: () => train({}, {}, sequential([linear(6), lif(), linear(3)], { input: 4, steps: 5 })),
    code: 'invalid-structure',
    message: /the last layer, layer 2 \(linear\), gives no membranes/,
  },
  'a loss on spikes of a layer without neurons': {
    make: () => train({}, { loss: crossEntropy() }, sequential([linear(3)], { input: 4 })),
    code: 'invalid-structure',
    message: /the last layer, layer 0 \(linear\), gives no spikes/,
  },
  'a learning rate that is far too high': {
    make: () =>
      train(
        { x: x.map((value) => 1e18 * value), y: from.floats(24) },
        { loss: squaredError({ on: 'values' }), optimizer: sgd(1e30), epochs: 3 },
        sequential([linear(6), linear(3)], { input: 4 }),
      ),
    code: 'diverged',
    message:
      /^fit: the (loss is (NaN|Infinity) at|gradient is not finite from) step \d.*layer|loss itself/,
  },
  'inputs too small for a neuron to fire': {
    make: () =>
      train(
        { x: x.map((value) => 1e-3 * value) },
        { loss: crossEntropy() },
        sequential(
          [
            linear(6),
            lif({ surrogate: 'triangle', threshold: 10 }),
            linear(3, { bias: false }),
            lif({ threshold: 10, surrogate: 'triangle' }),
          ],
          { input: 4, steps: 5 },
        ),
      ),
    code: 'diverged',
    message:
      /^fit: no gradient reaches the parameters in the first 2 steps; none of the neurons of layer 1 \(lif\), layer 3 \(lif\) fires/,
  },
  'neurons without a reset': {
    make: () =>
      train(
        { x: x.map(() => 4) },
        { loss: crossEntropy() },
        sequential(
          [
            linear(6, { name: 'in' }),
            neuron('state u = 5\nu = u + abs(I)\ns = spike(u - 1)', { surrogate: 'triangle' }),
            linear(3, { bias: false }),
            lif({ surrogate: 'triangle', threshold: 100 }),
          ],
          { input: 4, steps: 5 },
        ),
      ),
    code: 'diverged',
    message:
      /^fit: no gradient reaches the parameters in the first 2 steps; all neurons of layer 1 \(neuron\) fire in every step: has their reset been forgotten, such as u = u - detach\(s\) behind the spike\?/,
  },
  'an option of fit by another name': {
    make: () => train({}, { batch_size: 32 }),
    code: 'invalid-setting',
    message: /^fit: there is no option "batch_size": expected loss, optimizer, epochs, batchSize/,
  },
  'a seed by another name': {
    make: () => init(network, any({ device: reference, random_state: 1 })),
    code: 'invalid-setting',
    message: 'init: there is no option "random_state": expected device, seed',
  },
  'a controller in place of its signal': {
    make: () => train({}, { signal: new AbortController() }),
    code: 'invalid-setting',
    message:
      'fit: signal is [object AbortController]: expected an AbortSignal, such as controller.signal',
  },
  'two averages at once': {
    make: () => train({}, { average: { decay: 0.9, from: 2 } }),
    code: 'invalid-setting',
    message: 'fit: average has neither or both of decay and from: expected one of them',
  },
  'a device that is lost while it trains': {
    make: async () => {
      const lost = new EngineError('device-lost', 'the WebGPU device was lost: unplugged');
      const device: typeof reference = {
        ...reference,
        load: async (layout, programs) => ({
          ...(await reference.load(layout, programs)),
          read: () => Promise.reject(lost),
        }),
      };
      const model = await init(network, { device });
      return fit(model, { x, y }, fitting);
    },
    code: 'device-lost',
    message:
      /^fit: the WebGPU device was lost: unplugged, in epoch 1 behind step 2; the model has the parameters that it began with: open a device anew/,
  },
  'going on with another batch size': {
    make: async () => {
      const history = await fit(await made(), { x, y }, fitting);
      return train({}, { resume: history.save(), batchSize: 2 });
    },
    code: 'checkpoint-mismatch',
    message: 'fit: what it resumes was trained with batchSize 4, the options have 2',
  },
  'a model file as training to go on with': {
    make: async () => train({}, { resume: (await made()).save() }),
    code: 'checkpoint-mismatch',
    message: /^resume is a file of spikegrid\.network: expected spikegrid\.training 1/,
  },
  'a file of something else': {
    make: () => load(new TextEncoder().encode('<!doctype html><title>404</title>')),
    code: 'checkpoint-damaged',
    message: /^the file: the header claims/,
  },
  'a network of unknown layers': {
    make: () => networkFrom({ input: 4, layers: [{ kind: 'lstm', units: 3 }] }),
    code: 'checkpoint-damaged',
    message: /^layer 0 is of the kind "lstm": expected activation, adlif/,
  },
  'a device that there is not': {
    make: () => init(network, { device: any('gpu') }),
    code: 'unknown-device',
    message: 'unknown device "gpu": expected auto, webgpu, wasm, reference',
  },
  'a seed that is no number': {
    make: () => init(network, { device: reference, seed: any('42') }),
    code: 'invalid-setting',
    message: 'seed is "42": expected a whole number from 0 to 2^53 - 1',
  },
  'a parameter by a wrong name': {
    make: async () => (await made()).parameter('weight'),
    code: 'invalid-structure',
    message: 'there is no parameter named weight',
  },
  'an input of a program left out': {
    make: async () => {
      const loop = await compile(await made(), {
        play: ({ input }) => ({ x: input('x', [1, 2, 4]) }),
      });
      return loop.programs.play({});
    },
    code: 'shape-mismatch',
    message: 'the input x is missing: expected a Float32Array of 8 for input x f32[1, 2, 4]',
  },
  'an evaluation without examples': {
    make: async () => evaluate(await made(), { x: new Float32Array(0), y: [] }),
    code: 'shape-mismatch',
    message: /^x has 0 elements for 0 examples/,
  },
};

describe('a newcomer reads what is wrong and what to do', () => {
  it.each(Object.entries(mistakes))('about %s', async (_name, { make, code, message }) => {
    let caught: unknown;
    try {
      await make();
    } catch (error) {
      caught = error;
    }

    expect(caught).toMatchObject({ name: 'EngineError', code });
    expect((caught as Error).message).toMatch(message);
  });
});
