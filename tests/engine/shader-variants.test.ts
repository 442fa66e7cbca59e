import { create } from 'webgpu';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPipelineCache,
  type PipelineCache,
  shaderText,
} from '../../engine/backends/webgpu/pipelines.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import { kernelNames } from './kernel-cases/kernel-cases.ts';
import { profiles, variantsOf } from './shader-variants.ts';

// Dawn's null backend checks shaders and pipelines as any other and runs nothing. It offers half
// precision and subgroups of any width, which the software adapter does not.
const nullGpu = create(['backend=null']);

describe('every shader variant for hardware', () => {
  let device: GPUDevice;
  let pipelines: PipelineCache;
  beforeAll(async () => {
    const adapter = await nullGpu.requestAdapter();
    device = await adapter!.requestDevice({ requiredFeatures: ['shader-f16', 'subgroups'] });
    pipelines = createPipelineCache(device);
  });
  afterAll(() => device.destroy());

  describe.each(profiles)('for $tiling tiles and subgroups of $subgroupLanes', (profile) => {
    const variants = variantsOf(profile);
    let codes: readonly string[];
    beforeAll(async () => {
      codes = await Promise.all(variants.map(shaderText));
    });

    it('compiles', async () => {
      // Every kernel at the least once, and several of those with flags.
      expect(variants.length).toBeGreaterThan(kernelNames.length);
      for (const variant of variants) {
        const { pipeline } = await pipelines.get(variant);
        expect(pipeline.label).toBe(variant.path.split('/').at(-1));
      }
    });

    it('holds the tiles of products in half precision, and nothing else', () => {
      const halves = variants.filter((_, i) => /enable f16;[^]*Value = f16/.test(codes[i]!));
      const tiled = variants.filter(({ path }) => path === 'linear/product_tiled');

      expect(halves).toEqual(tiled);
      expect(tiled.length > 0).toBe(profile.tiling === 'workgroup');
    });

    it('sums rows in subgroups exactly where there are any', () => {
      const summing = codes.filter((code) => /subgroup(Add|Max)\(/.test(code));

      expect(summing.length > 0).toBe(profile.subgroupLanes !== undefined);
      expect(summing.every((code) => code.includes('enable subgroups;'))).toBe(true);
    });
  });

  it('refuses a shader that is wrong, naming it, the line and what it says', async () => {
    // Dawn would print what the error below says.
    device.addEventListener('uncapturederror', (event) => event.preventDefault());
    const narrow: DeviceProfile = { ...profiles[0]!, tiling: 'workgroup', tileDepth: 0 };
    const [variant] = variantsOf(narrow).filter(({ path }) => path === 'linear/product_tiled');

    await expect(pipelines.get(variant!)).rejects.toMatchObject({
      code: 'shader-invalid',
      message: expect.stringMatching(
        /^shaders\/linear\/product_tiled\.wgsl does not compile\n {2}line \d+:\d+ .*\n {3}1 /,
      ),
    });
  });
});
