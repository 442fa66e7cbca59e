import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/backends/backend.ts';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import type { KernelCall, KernelName } from '../../engine/graph/kernel-table.ts';
import { casesOf, kernelNames } from './kernel-cases/kernel-cases.ts';
import { reference, runKernels, variants } from './play.ts';
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
const profiles: Record<keyof typeof variants, DeviceProfile> = {
  'webgpu, register tiles': base,
  'webgpu, workgroup tiles': { ...base, tiling: 'workgroup' },
  'webgpu, subgroups': { ...base, tiling: 'workgroup', subgroupLanes: 4 },
};
const names = Object.keys(variants) as (keyof typeof variants)[];

/** The kernels of which a variant runs other shaders than those listed before it. */
function kernelsOf(variant: keyof typeof variants): KernelName[] {
  const earlier = names.slice(0, names.indexOf(variant));
  const shaderOf = (kernel: KernelName, name: keyof typeof variants) =>
    JSON.stringify(bindCall(casesOf(kernel, 65)[0] as unknown as KernelCall, profiles[name]));
  return kernelNames.filter((kernel) =>
    earlier.every((name) => shaderOf(kernel, name) !== shaderOf(kernel, variant)),
  );
}

describe.each(names)('%s', (variant) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants[variant]();
  });
  afterAll(() => backend.close());

  describe.each(kernelsOf(variant))('%s', (kernel) => {
    it.each(SIZES)('matches the float64 reference at size %i', async (size) => {
      const cases = casesOf(kernel, size);

      const expected = await runKernels(reference, cases);
      const actual = await runKernels(backend, cases);

      for (const [i, { name }] of cases.entries()) {
        for (const [operand, numbers] of Object.entries(expected[i]!)) {
          expect(actual[i]![operand], `${name}: ${operand}`).toMatchNumbers(numbers, TOLERANCE);
        }
      }
    });
  });
});
