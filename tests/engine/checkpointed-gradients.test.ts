import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planBody, splitOf } from '../../engine/backends/wasm/emit/plan.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { sizeOf } from '../../engine/kernel-language/body.ts';
import { variantOf } from '../../engine/kernel-language/written-kernel.ts';
import type { KernelName } from '../../engine/kernels/kernels.ts';
import './matchers.ts';
import { callOf, type KernelCase, reference, runKernel, triedVariants } from './play.ts';
import { randomSource } from './random.ts';

interface Size {
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
}

const surrogate = 'fast_sigmoid';
const alif = {
  model: 'alif',
  decay: 0.9,
  threshold: 1,
  adaptationDecay: 0.95,
  adaptationGain: 0.3,
} as const;

/** Neurons with one state, with two, and with gradients that are summed over the steps. */
const neurons = {
  lif_backward: (size, checkpoints) => {
    const { current, gradient } = operandsOf(size);
    const attributes = { ...size, beta: 0.9, threshold: 1, surrogate, checkpoints } as const;
    return { kernel: 'lif_backward', operands: { current, gradient }, attributes };
  },
  neuron_backward: (size, checkpoints) => {
    const { current, gradient } = operandsOf(size);
    const operands = { current, gradient, currentGradient: floats(shapeOf(size)) };
    const attributes = {
      ...size,
      currentSteps: size.steps,
      ...alif,
      surrogate,
      checkpoints,
    } as const;
    return { kernel: 'neuron_backward', operands, attributes };
  },
  evo_lif_backward: (size, checkpoints) => {
    const { rows, width, steps } = size;
    const { current, gradient } = operandsOf(size);
    const operands = {
      current,
      gradient,
      currentGradient: floats(shapeOf(size)),
      beta: floats([width], 0.5, 0.95),
      threshold: floats([width], 0.8, 1.2),
      betaGradient: floats([rows, width]),
      thresholdGradient: floats([rows, width]),
    };
    const attributes = { ...size, currentSteps: steps, surrogate, checkpoints } as const;
    return { kernel: 'evo_lif_backward', operands, attributes };
  },
} satisfies Record<string, (size: Size, checkpoints: boolean) => KernelCase<KernelName>>;

function shapeOf({ steps, rows, width }: Size): number[] {
  return [steps, rows, width];
}

function floats(shape: readonly number[], low = -1, high = 1) {
  const count = shape.reduce((product, size) => product * size, 1);
  return { dtype: 'f32' as const, shape, data: randomSource(count).floats(count, low, high) };
}

function operandsOf(size: Size) {
  return { current: floats(shapeOf(size), -0.5, 0.8), gradient: floats(shapeOf(size)) };
}

const names = Object.keys(neurons) as (keyof typeof neurons)[];

describe.each(Object.entries(triedVariants))('%s', (_, open) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  // One segment, whole segments, a short last one; more neurons than a block of WASM has.
  const steps = [1, 2, 16, 23] as const;
  it.each(names.flatMap((name) => steps.map((count) => [name, count] as const)))(
    '%s gives the same bits with checkpoints as without, over %i steps',
    async (name, count) => {
      const size = { steps: count, rows: 2, width: 300 };

      const plain = await runKernel(backend, neurons[name](size, false));
      const checkpointed = await runKernel(backend, neurons[name](size, true));

      expect(checkpointed).toEqual(plain);
    },
  );

  it('carries gradients back through 4,000 steps', async () => {
    const test = neurons.lif_backward({ steps: 4000, rows: 1, width: 8 }, true);
    const expected = await runKernel(reference, test);

    const actual = await runKernel(backend, test);

    expect(actual['gradient']).toMatchNumbers(expected['gradient']!, 2e-4);
  });
});

describe('the memory of checkpoints', () => {
  const scratchOf = (name: keyof typeof neurons, steps: number, checkpoints: boolean) => {
    const call = callOf(neurons[name]({ steps, rows: 1, width: 1 }, checkpoints));
    const sizes = (size: string) => sizeOf(size, (one) => Number(call.attributes[one]));
    return splitOf(planBody(variantOf(call).body), sizes).scratchBytes;
  };

  it.each(names)('%s takes less for 4,000 steps than all states of 500 take', (name) => {
    const checkpointed = scratchOf(name, 4000, true);
    const plain = scratchOf(name, 500, false);
    console.log(`${name}: ${checkpointed} bytes a thread for 4,000 steps, ${plain} for 500`);

    expect(checkpointed).toBeLessThan(plain);
    // Twice the root of the steps: four times as many steps take twice the memory.
    expect(scratchOf(name, 16_000, true)).toBeLessThan(2.1 * checkpointed);
  });
});
