import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/backends/backend.ts';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import type { KernelCall, KernelName } from '../../engine/graph/kernel-table.ts';
import { casesOf, kernelCases } from './kernel-cases.ts';
import { reference, runKernel, variants } from './play.ts';
import './matchers.ts';

// 64 is one full workgroup and two words; the others leave ragged tails.
const SIZES = [1, 63, 64, 65, 1000];

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
const kernels = Object.keys(kernelCases) as KernelName[];

/** The kernels of which a variant runs other shaders than those listed before it. */
function kernelsOf(variant: keyof typeof variants): KernelName[] {
  const earlier = names.slice(0, names.indexOf(variant));
  const shaderOf = (kernel: KernelName, name: keyof typeof variants) =>
    JSON.stringify(bindCall(casesOf(kernel, 65)[0] as unknown as KernelCall, profiles[name]));
  return kernels.filter((kernel) =>
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
      for (const { name, tolerance, ...test } of casesOf(kernel, size)) {
        const expected = await runKernel(reference, test);
        const actual = await runKernel(backend, test);
        for (const operand of Object.keys(expected)) {
          expect(actual[operand], `${name}: ${operand}`).toMatchNumbers(
            expected[operand]!,
            tolerance,
          );
        }
      }
    });
  });
});
