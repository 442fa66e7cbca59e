import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { casesOf } from './kernel-cases/kernel-cases.ts';
import { reference, runKernels } from './play.ts';
import './matchers.ts';

// SwiftShader has no shader-f16; other adapters do, and SPIKEGRID_TEST_ADAPTER=system runs on them.
const adapter = await navigator.gpu.requestAdapter();
const hasHalf = adapter?.features.has('shader-f16') ?? false;
/** Tiles in half precision keep 11 bits of each factor. */
const TOLERANCE = 3e-3;

describe.skipIf(!hasHalf)('product tiles in half precision', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openWebGpuBackend({
      gpu: navigator.gpu,
      tiling: 'workgroup',
      halfPrecision: true,
    });
  });
  afterAll(() => backend.close());

  it.each([
    'linear_forward',
    'linear_backward_input',
    'linear_backward_weight',
    'spike_linear_forward',
  ] as const)('%s stays close to the float64 reference', async (kernel) => {
    const cases = casesOf(kernel, 65);

    const expected = await runKernels(reference, cases);
    const actual = await runKernels(backend, cases);

    for (const [i, { name }] of cases.entries()) {
      for (const [operand, numbers] of Object.entries(expected[i]!)) {
        expect(actual[i]![operand], `${name}: ${operand}`).toMatchNumbers(numbers, TOLERANCE);
      }
    }
  });
});
