import type { KernelCall } from '../../engine/graph/kernel.ts';
import type { KernelName } from '../../engine/kernels/kernels.ts';
import { describe, expect, it } from 'vitest';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import { extent } from './extent.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';
import type { Case } from './kernel-cases/operands.ts';
import './matchers.ts';
import { callOf, reference, runKernel, runKernels } from './play.ts';
import { randomSource } from './random.ts';
import { watchedGpu } from './watched-gpu.ts';

/** Workgroups in one dimension of a dispatch that every WebGPU device allows. */
const MAX_WORKGROUPS = 65535;

/** A step over 70,000 rows of 300 features, in the words of the kernels' attributes. */
const LARGE: Readonly<Record<string, number>> = {
  rows: 70_000,
  width: 300,
  count: 70_000 * 300,
  columns: 300,
  depth: 300,
  vocabulary: 70_000,
  residualRows: 70_000,
  batch: 1100,
  sequence: 64,
  heads: 6,
  headWidth: 50,
};

const profiles: DeviceProfile[] = (['register', 'workgroup'] as const).flatMap((tiling) =>
  [undefined, 32].map((subgroupLanes) => ({
    tiling,
    subgroupLanes,
    halfPrecision: false,
    tileDepth: 16,
    maxWorkgroups: MAX_WORKGROUPS,
  })),
);

const enlarged = new Map<KernelName, KernelCall[]>();

describe.each(profiles)('on $tiling tiles with subgroups of $subgroupLanes', (profile) => {
  it.each(kernelNames)('%s stays within the limits for 70,000 x 300 elements', (kernel) => {
    for (const call of largeCalls(kernel)) {
      const [x, y] = bindCall(call, profile).workgroups;

      expect([Number.isInteger(x), Number.isInteger(y)]).toEqual([true, true]);
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(1);
      expect(Math.max(x, y)).toBeLessThanOrEqual(MAX_WORKGROUPS);
    }
  });
});

describe('elements beyond one dimension of a dispatch', () => {
  // 65,535 workgroups of 64 are 4,194,240 elements.
  it('are all reached, none twice', async () => {
    const count = 4_194_240 + 4_097;
    const backend = await openWebGpuBackend({ gpu: navigator.gpu });
    const from = randomSource(1);
    const [addend, target] = [from.floats(count), new Float32Array(count).fill(1)];
    const { target: sum } = await runKernel(backend, {
      kernel: 'add',
      operands: {
        addend: { dtype: 'f32', shape: [count], data: addend },
        target: { dtype: 'f32', shape: [count], data: target },
      },
      attributes: { count },
    });
    backend.close();

    const wrong = addend.findIndex((x, i) => sum![i] !== Math.fround(x + 1));
    expect(wrong).toBe(-1);
  });
});

/** The kernels whose rows are spread over lanes; on register tiles 64 of them share a workgroup. */
const rowKernels: KernelName[] = [
  'layer_norm_forward',
  'layer_norm_backward_input',
  'rms_norm_forward',
  'rms_norm_backward_input',
  'cross_entropy_forward',
  'squared_norm',
];
/** Products are tiled in two dimensions and never folded. */
const products: KernelName[] = [
  'linear_forward',
  'linear_backward_input',
  'linear_backward_spikes',
  'linear_backward_weight',
  'spike_linear_forward',
];
const foldable = kernelNames.filter((kernel) => !products.includes(kernel));

// On a device that allows just so many workgroups in a dimension that the largest case is a square.
describe.each([
  { tiling: 'workgroup', kernels: foldable },
  { tiling: 'register', kernels: rowKernels },
] as const)('on $tiling tiles folded over both dimensions', ({ tiling, kernels }) => {
  const profile: DeviceProfile = { ...profiles[0]!, tiling };
  const tested = extent(
    kernels,
    kernels.filter((_, i) => i % 4 === 0),
  );
  const foldings = tested
    .map((kernel) => {
      const [small, large] = [400, 1000].map((size) => foldingOf(kernel, size, profile));
      return small!.most > 2 ? small! : large!;
    })
    .filter(({ most }) => most > 2)
    .map(({ most, ...folding }) => ({ ...folding, limit: Math.ceil(Math.sqrt(most)) }));

  it.each(foldings)('$kernel matches the float64 reference', async ({ largest, limit }) => {
    const { gpu } = watchedGpu((device) => limitWorkgroups(device, limit));
    const backend = await openWebGpuBackend({ gpu, tiling, subgroups: false });
    // Dispatches that fit into one dimension are not split, so only the others are tested.
    const cases = largest.filter(({ groups }) => groups > limit).map(({ test }) => test);

    const expected = await runKernels(reference, cases);
    const actual = await runKernels(backend, cases);
    backend.close();

    for (const [i, written] of expected.entries()) {
      for (const [operand, numbers] of Object.entries(written)) {
        expect(actual[i]![operand], operand).toMatchNumbers(numbers, 2e-5);
      }
    }
  });

  it('leaves out only those that are a workgroup or two', () => {
    expect(foldings.length).toBeGreaterThanOrEqual(tested.length - extent(12, 3));
  });
});

/** For each shader the case of most workgroups: how they are folded asks for no condition. */
function foldingOf(kernel: KernelName, size: number, profile: DeviceProfile) {
  const largest = new Map<string, { test: Case<KernelName>; groups: number }>();
  for (const test of casesOf(kernel, size)) {
    const dispatch = bindCall(callOf(test), profile);
    const groups = dispatch.workgroups[0] * dispatch.workgroups[1];
    const known = largest.get(dispatch.path)?.groups ?? 0;
    if (groups > known) largest.set(dispatch.path, { test, groups });
  }
  const cases = [...largest.values()];
  return { kernel, largest: cases, most: Math.max(...cases.map(({ groups }) => groups)) };
}

/** The calls of a kernel's cases as they would be over 70,000 x 300 elements, made once for all profiles. */
function largeCalls(kernel: KernelName): KernelCall[] {
  const calls = enlarged.get(kernel) ?? enlarge(kernel);
  enlarged.set(kernel, calls);
  return calls;
}

function enlarge(kernel: KernelName): KernelCall[] {
  return casesOf(kernel, 65).map(({ operands, attributes }) => {
    const large = Object.entries(attributes).map(([name, value]) => [name, LARGE[name] ?? value]);
    // The names are those of the case's own attributes; only numbers are exchanged for larger ones.
    return callOf({ kernel, operands, attributes: Object.fromEntries(large) as typeof attributes });
  });
}

function limitWorkgroups(device: GPUDevice, limit: number): void {
  const limits = new Proxy(device.limits, {
    get(target, name) {
      if (name === 'maxComputeWorkgroupsPerDimension') return limit;
      // The getters of the limits want the object itself.
      return Reflect.get(target, name, target);
    },
  });
  Object.defineProperty(device, 'limits', { value: limits });
}
