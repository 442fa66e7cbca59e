import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/backends/backend.ts';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import type { KernelCall, KernelName } from '../../engine/graph/kernel-table.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';
import { reference, runKernels, variants, wasmVariants, webgpuVariants } from './play.ts';
import './matchers.ts';

// 64 is one full workgroup and two words; the others leave ragged tails.
const SIZES = [1, 63, 64, 65, 1000];
/** Relative to 1 + magnitude. Sums of a thousand float32 terms lose a few of their last bits. */
const TOLERANCE = 2e-5;

const base: DeviceProfile = {
  tiling: 'register',
  halfPrecision: false,
  subgroupLanes: undefined,
  tileDepth: 4,
  maxWorkgroups: 65535,
};
/** What each variant's shaders are chosen by on the software adapter, whose subgroups have 4 lanes. */
const profiles: Record<keyof typeof webgpuVariants, DeviceProfile> = {
  'webgpu, register tiles': base,
  'webgpu, workgroup tiles': { ...base, tiling: 'workgroup' },
  'webgpu, subgroups': { ...base, tiling: 'workgroup', subgroupLanes: 4 },
};
type Shaders = keyof typeof webgpuVariants;
// Object.keys loses the type of the keys.
const shaderNames = Object.keys(webgpuVariants) as Shaders[];

/** The kernels of which a variant runs other shaders than those listed before it. */
function shadersOf(variant: Shaders): KernelName[] {
  const earlier = shaderNames.slice(0, shaderNames.indexOf(variant));
  const shaderOf = (kernel: KernelName, name: Shaders) =>
    JSON.stringify(bindCall(casesOf(kernel, 65)[0] as unknown as KernelCall, profiles[name]));
  return kernelNames.filter((kernel) =>
    earlier.every((name) => shaderOf(kernel, name) !== shaderOf(kernel, variant)),
  );
}

const backends: Record<string, () => Promise<Backend>> = variants;
const tested = [
  ...shaderNames.map((name) => [name, shadersOf(name)] as const),
  ...Object.keys(wasmVariants).map((name) => [name, kernelNames] as const),
];

type Results = ReturnType<typeof runKernels>;
const known = new Map<string, Results>();

/** What the reference gives, computed once for all variants. */
function expectedOf(kernel: KernelName, size: number): Results {
  const key = `${kernel} ${size}`;
  const expected = known.get(key) ?? runKernels(reference, casesOf(kernel, size));
  known.set(key, expected);
  return expected;
}

describe.each(tested)('%s', (variant, kernels) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[variant]!();
  });
  afterAll(() => backend.close());

  describe.each(kernels)('%s', (kernel) => {
    it.each(SIZES)('matches the float64 reference at size %i', async (size) => {
      const cases = casesOf(kernel, size);

      const expected = await expectedOf(kernel, size);
      const actual = await runKernels(backend, cases);

      for (const [i, { name }] of cases.entries()) {
        for (const [operand, numbers] of Object.entries(expected[i]!)) {
          expect(actual[i]![operand], `${name}: ${operand}`).toMatchNumbers(numbers, TOLERANCE);
        }
      }
    });
  });
});
