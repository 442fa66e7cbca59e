import type { KernelName } from '../../engine/kernels/kernels.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import { extent, isFull } from './extent.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';
import type { Case } from './kernel-cases/operands.ts';
import {
  callOf,
  reference,
  runKernels,
  variants,
  wasmVariants,
  webgpuVariants,
  type Written,
} from './play.ts';
import './matchers.ts';

// 64 is one full workgroup and two words; the others leave ragged tails.
const SIZES = extent([1, 63, 64, 65, 1000], [1, 65]);
/** Relative to 1 + magnitude. Sums of a thousand float32 terms lose a few of their last bits. */
const TOLERANCE = 2e-5;

const base: DeviceProfile = {
  tiling: 'register',
  halfPrecision: false,
  subgroupLanes: undefined,
  tileDepth: 4,
  maxWorkgroups: 65535,
};
/** The profiles that select each variant's shaders on the software adapter, whose subgroups have 4 lanes. */
const profiles: Record<keyof typeof webgpuVariants, DeviceProfile> = {
  'webgpu, register tiles': base,
  'webgpu, workgroup tiles': { ...base, tiling: 'workgroup' },
  'webgpu, subgroups': { ...base, tiling: 'workgroup', subgroupLanes: 4 },
};
type Shaders = keyof typeof webgpuVariants;
// Object.keys loses the type of the keys.
const shaderNames = Object.keys(webgpuVariants) as Shaders[];

const samples = new Map(kernelNames.map((kernel) => [kernel, callOf(casesOf(kernel, 65)[0]!)]));

/** The kernels of which a variant runs other shaders than those listed before it. */
function shadersOf(variant: Shaders): KernelName[] {
  const earlier = shaderNames.slice(0, shaderNames.indexOf(variant));
  const shaderOf = (kernel: KernelName, name: Shaders) =>
    JSON.stringify(bindCall(samples.get(kernel)!, profiles[name]));
  return kernelNames.filter((kernel) =>
    earlier.every((name) => shaderOf(kernel, name) !== shaderOf(kernel, variant)),
  );
}

const backends: Record<string, () => Promise<Backend>> = variants;
/** Kernels by variant, and how many of them are one program: starting threads takes longer than most kernels. */
const tested = [
  ...shaderNames.map((name) => [name, shadersOf(name), 1, profiles[name]] as const),
  ...Object.keys(wasmVariants).map((name) => [name, kernelNames, 32, undefined] as const),
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

/**
 * The cases for shaders. Sizes and attributes are constants of their text: nearly every
 * case compiles one of its own, which takes most of the time on the software adapter. So at every size
 * there is one of each shader and, at the whole extent, every case runs at one size, in turn.
 */
function askedOfShaders(compared: readonly Compared[], profile: DeviceProfile): Compared[] {
  const shaderOf = ({ test }: Compared) => bindCall(callOf(test), profile).path;
  const groups = Map.groupBy(compared, (one) => `${one.size} ${shaderOf(one)}`);
  return [...groups.values()].flatMap((cases) =>
    cases.filter(({ size }, i) => {
      const turn = SIZES.indexOf(size);
      return (isFull && i % SIZES.length === turn) || turn % cases.length === i;
    }),
  );
}

type Ran = readonly (Compared & { readonly actual: Written })[];

/** The cases of some kernels in one program: all of them, or those of the shaders of a profile. */
async function runAll(
  backend: Backend,
  kernels: readonly KernelName[],
  profile: DeviceProfile | undefined,
) {
  const all = (await Promise.all(kernels.map(comparedOf))).flat();
  const compared = profile ? askedOfShaders(all, profile) : all;
  const actual = await runKernels(
    backend,
    compared.map(({ test }) => test),
  );
  return compared.map((one, i) => ({ ...one, actual: actual[i]! }));
}

describe.each(tested)('%s', (variant, kernels, together, profile) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[variant]!();
  });
  afterAll(() => backend.close());

  const runs = new Map<number, Promise<Ran>>();
  const runWith = (first: number) => {
    const run = runs.get(first) ?? runAll(backend, kernels.slice(first, first + together), profile);
    runs.set(first, run);
    return run;
  };

  describe.each(kernels)('%s', (kernel) => {
    let results: Ran;
    beforeAll(async () => {
      const at = kernels.indexOf(kernel);
      const all = await runWith(at - (at % together));
      results = all.filter(({ test }) => test.kernel === kernel);
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
