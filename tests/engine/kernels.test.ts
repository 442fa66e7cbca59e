import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/backends/backend.ts';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import type { KernelCall, KernelName } from '../../engine/graph/kernel-table.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';
import type { Case } from './kernel-cases/operands.ts';
import {
  reference,
  runKernels,
  variants,
  wasmVariants,
  webgpuVariants,
  type Written,
} from './play.ts';
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

interface Compared {
  readonly size: number;
  readonly test: Case<KernelName>;
  readonly expected: Written;
}

const known = new Map<KernelName, Promise<readonly Compared[]>>();

/** The cases of a kernel at every size with what the reference gives, computed once for all variants. */
function comparedOf(kernel: KernelName): Promise<readonly Compared[]> {
  const compared = known.get(kernel) ?? askReference(kernel);
  known.set(kernel, compared);
  return compared;
}

async function askReference(kernel: KernelName): Promise<readonly Compared[]> {
  const cases = SIZES.flatMap((size) => casesOf(kernel, size).map((test) => ({ size, test })));
  const tests = cases.map(({ test }) => test);
  const expected = await runKernels(reference, tests);
  return cases.map((one, i) => ({ ...one, expected: expected[i]! }));
}

describe.each(tested)('%s', (variant, kernels) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[variant]!();
  });
  afterAll(() => backend.close());

  describe.each(kernels)('%s', (kernel) => {
    let results: readonly (Compared & { readonly actual: Written })[];
    // All sizes are one program: starting threads and waiting for a device take longer than most kernels.
    beforeAll(async () => {
      const compared = await comparedOf(kernel);
      const tests = compared.map(({ test }) => test);
      const actual = await runKernels(backend, tests);
      results = compared.map((one, i) => ({ ...one, actual: actual[i]! }));
    });

    it.each(SIZES)('matches the float64 reference at size %i', (wanted) => {
      const here = results.filter(({ size }) => size === wanted);
      expect(here).not.toHaveLength(0);
      for (const { test, expected, actual } of here) {
        for (const [operand, numbers] of Object.entries(expected)) {
          expect(actual[operand], `${test.name}: ${operand}`).toMatchNumbers(numbers, TOLERANCE);
        }
      }
    });
  });
});
