import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { fuseSlope } from '../../engine/kernel-language/fuse-slope.ts';
import { parseBody } from '../../engine/kernel-language/parse-body.ts';
import { COSTLY_ACTIVATIONS } from '../../engine/kernels/slopes.ts';
import { activation } from '../../engine/ops/activation.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { numbers } from './kernel-cases/operands.ts';
import './matchers.ts';
import { runKernel, wasmVariants } from './play.ts';
import { randomSource } from './random.ts';

// A vector, a block and one more or less of each.
const sizes = [1, 63, 64, 65, 257];

describe.each(COSTLY_ACTIVATIONS)('%s with its slope', (name) => {
  let wasm: Backend;
  beforeAll(async () => {
    wasm = await wasmVariants['wasm, plain, 1 thread']();
  });
  afterAll(() => wasm.close());

  it.each(sizes)('gives the bits of the output alone, for %i numbers', async (count) => {
    const input = numbers([count], randomSource(count), -20, 20);
    const empty = numbers([count], randomSource(1));
    const attributes = { count, activation: name };

    const alone = await runKernel(wasm, {
      kernel: 'activation_forward',
      operands: { input, output: empty },
      attributes,
    });
    const both = await runKernel(wasm, {
      kernel: 'activation_with_slope',
      operands: { input, output: empty, slope: empty },
      attributes,
    });

    expect(both['output']).toEqual(alone['output']);
  });

  it.each(sizes)('gives the gradient that is computed on the way back, for %i', async (count) => {
    const input = numbers([count], randomSource(count), -20, 20);
    const gradient = numbers([count], randomSource(count + 1));
    const inputGradient = numbers([count], randomSource(2));
    const { slope } = await runKernel(wasm, {
      kernel: 'activation_with_slope',
      operands: { input, output: inputGradient, slope: inputGradient },
      attributes: { count, activation: name },
    });

    const kept = await runKernel(wasm, {
      kernel: 'slope_backward',
      operands: { slope: { ...input, data: slope! }, gradient, inputGradient },
      attributes: { count, accumulate: true },
    });
    const again = await runKernel(wasm, {
      kernel: 'activation_backward',
      operands: { input, gradient, inputGradient },
      attributes: { count, activation: name, accumulate: true },
    });

    expect(kept['inputGradient']).toMatchNumbers(again['inputGradient']!, 1e-6);
  });

  it('is computed only where a gradient is taken', () => {
    const initial = { kind: 'constant', value: 1 } as const;
    const layout = layOutParameters([{ name: 'weight', shape: [8], initial, decayed: false }]);
    const trace = (isTrained: boolean) => {
      const graph = new Graph('activation', layout);
      const output = activation(graph, graph.parameter('weight'), name);
      if (isTrained) differentiate(graph, output);
      return graph.build().calls.map(({ kernel }) => kernel.name);
    };

    expect(trace(false)).toEqual(['activation_forward']);
    expect(trace(true)).toEqual(['activation_with_slope', 'slope_backward']);
  });
});

describe('a map and its slope in one pass', () => {
  const bodyOf = (text: string) =>
    parseBody(
      {
        operands: { a: 'read', b: 'read', output: 'write' },
        attributes: { count: 'int' },
      },
      {
        over: { element: 'count' },
        shapes: { a: 'f32[count]', b: 'f32[count]', output: 'f32[count]' },
        equations: text,
      },
      {},
    );

  it('is refused where the map has two operands, as there would be two slopes', () => {
    expect(() => fuseSlope(bodyOf('output = a * b'), 'slope')).toThrow('a map of one operand');
  });

  it('has the store of the map first, untouched', () => {
    const body = bodyOf('output = exp(a)');

    const { stores } = fuseSlope(body, 'slope');

    expect(stores[0]).toBe(body.stores[0]);
    // The derivative of e^x is e^x: the same expression, computed once.
    expect(stores[1]).toMatchObject({ operand: 'slope', value: body.stores[0]!.value });
  });
});
