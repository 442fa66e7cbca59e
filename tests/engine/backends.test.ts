import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseDevice } from '../../engine/backends/device-choice.ts';
import { openBackend } from '../../engine/backends/open-backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { kernels } from '../../engine/kernels/kernels.ts';
import { noParameters, reference } from './play.ts';
import { loadFill, scratchProgram } from './small-programs.ts';
import { openWatched, watchedGpu } from './watched-gpu.ts';

describe('a device', () => {
  it.each(['auto', 'webgpu', 'wasm', 'reference'])('is known by the name %s', (name) => {
    expect(parseDevice(name)).toBe(name);
  });

  it.each(['cuda', '', 'WebGPU', 'constructor'])('is refused by the name "%s"', (name) => {
    expect(() => parseDevice(name)).toThrow(
      expect.objectContaining({
        code: 'unknown-device',
        message: `unknown device "${name}": expected auto, webgpu, wasm, reference`,
      }),
    );
  });

  it('is the reference where requested, with no WebGPU at all', async () => {
    const { device } = await openBackend('reference', { gpu: undefined });

    expect(device).toMatchObject({ backend: 'reference', isHardware: false });
  });

  it('by the name webgpu that is not there is missed in words', async () => {
    await expect(openBackend('webgpu', { gpu: undefined })).rejects.toMatchObject({
      code: 'no-adapter',
      message: expect.stringContaining('this environment has no WebGPU (navigator.gpu is missing)'),
    });
    const gpu: GPU = { ...watchedGpu().gpu, requestAdapter: async () => null };
    await expect(openBackend('webgpu', { gpu })).rejects.toMatchObject({
      code: 'no-adapter',
      message: expect.stringContaining(
        'WebGPU is there but offers no adapter: expected a GPU driver',
      ),
    });
  });

  it('is WASM where it may be any and there is no GPU, on every core', async () => {
    for (const gpu of [undefined, navigator.gpu]) {
      const { device } = await openBackend('auto', { gpu });
      expect(device).toMatchObject({ backend: 'wasm', isHardware: false });
      expect(device.label).toContain(`${availableParallelism()} threads`);
    }
  });

  it('that has to be a GPU is missed in words, and is nothing else', async () => {
    const options = { gpu: navigator.gpu, requireHardware: true };
    await expect(openBackend('auto', options)).rejects.toMatchObject({
      code: 'no-adapter',
      message: expect.stringMatching(/the only adapter runs on the processor: .*swiftshader/i),
    });
    await expect(openBackend('wasm', options)).rejects.toMatchObject({
      code: 'invalid-setting',
      message: 'a GPU was asked for but the device is WASM: expected auto or webgpu',
    });
  });

  it('is refused by name where half precision is requested and not available', async () => {
    const halved = { gpu: navigator.gpu, halfPrecision: true };
    await expect(openBackend('webgpu', halved)).rejects.toMatchObject({
      code: 'invalid-setting',
      message: expect.stringMatching(/^half precision was asked for but .* has no shader-f16/),
    });
    await expect(openBackend('reference', halved)).rejects.toMatchObject({
      code: 'invalid-setting',
    });
  });

  it('says that it is a processor, and is refused where a GPU is required', async () => {
    const { backend } = await openWatched();
    expect(backend.device).toMatchObject({ backend: 'webgpu', isHardware: false });
    expect(backend.device.label).toMatch(/^WebGPU on the processor \(.*swiftshader.*\)$/i);
    expect(backend.device.maxBlockBytes).toBeGreaterThan(2 ** 27);

    await expect(
      openWebGpuBackend({ gpu: navigator.gpu, requireHardware: true }),
    ).rejects.toMatchObject({
      code: 'no-adapter',
      message: expect.stringMatching(
        /^a GPU was asked for but the only adapter runs on the processor: .*swiftshader/i,
      ),
    });
  });
});

describe('half precision', () => {
  it('is refused by an adapter that lacks it, naming the adapter', async () => {
    await expect(
      openWebGpuBackend({ gpu: navigator.gpu, halfPrecision: true }),
    ).rejects.toMatchObject({
      code: 'invalid-setting',
      message: expect.stringMatching(
        /^half precision was asked for but .*swiftshader.* has no shader-f16/i,
      ),
    });
  });

  it('is refused on the reference, which computes in float64', async () => {
    await expect(
      openBackend('reference', { gpu: undefined, halfPrecision: true }),
    ).rejects.toMatchObject({
      code: 'invalid-setting',
      message: 'half precision was asked for on the reference: expected a GPU with shader-f16',
    });
  });
});

const players = {
  reference: async () => reference,
  webgpu: async () => (await openWatched()).backend,
  wasm: () => openWasmBackend(),
};

describe.each(['reference', 'webgpu', 'wasm'] as const)('a player on %s', (choice) => {
  const open = players[choice];

  it('times every call of a program, with the result of a play', async () => {
    const { player, program, target } = await loadFill(await open(), 10);

    const times = await player.time(program);

    expect(times).toHaveLength(program.calls.length);
    for (const ms of times) expect(ms).toBeGreaterThanOrEqual(0);
    expect(await player.read(target)).toEqual(new Float32Array(10).fill(0.5));
  });

  it('reads the contents at the time of the call, whatever is played before it resolves', async () => {
    const { player, program, target } = await loadFill(await open(), 10);
    player.write(target, new Float32Array(10).fill(3));

    const asked = player.read(target);
    player.play(program);

    expect(await asked).toEqual(new Float32Array(10).fill(3));
    expect(await player.read(target)).toEqual(new Float32Array(10).fill(0.5));
  });

  it('clears spikes as it clears numbers', async () => {
    const graph = new Graph('clear', noParameters);
    const spikes = graph.local('spikes', 'bits', [3, 40]);
    graph.call(kernels.fill, { target: spikes }, { count: 6, value: 0 });
    const program = graph.build();
    const player = await (await open()).load(noParameters, [program]);
    player.write(spikes, new Uint32Array(6).fill(0b1011));

    player.play(program);

    expect(await player.read(spikes)).toEqual(new Uint32Array(6));
    player.close();
  });

  it('refuses to write what does not fit a tensor, naming it and both lengths', async () => {
    const { player, target } = await loadFill(await open(), 10);
    const [needed, given] = choice === 'reference' ? ['10 words', '9'] : ['40 bytes', '36'];

    expect(() => player.write(target, new Float32Array(9))).toThrow(
      expect.objectContaining({
        code: 'shape-mismatch',
        message: `target f32[10] takes ${needed} but was given ${given}`,
      }),
    );
  });

  it('refuses to read a tensor of a program that was not loaded, naming it', async () => {
    const { player } = await loadFill(await open(), 10);
    const stranger: Tensor = { name: 'stranger', dtype: 'bits', shape: [2, 40], block: 'local' };

    await expect(player.read(stranger)).rejects.toMatchObject({
      code: 'shape-mismatch',
      message: 'no loaded program holds stranger bits[2, 40]',
    });
  });

  it('refuses to play a program that was not loaded, naming it', async () => {
    const { player } = await loadFill(await open(), 10);

    expect(() => player.play(scratchProgram(64))).toThrow(
      expect.objectContaining({ code: 'shape-mismatch' }),
    );
  });
});
