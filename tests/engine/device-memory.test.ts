import { describe, expect, it } from 'vitest';
import { layOutParameters, type ParameterLayout } from '../../engine/graph/parameters.ts';
import { extent } from './extent.ts';
import { loadFill, scratchProgram } from './small-programs.ts';
import { openWatched } from './watched-gpu.ts';

const CYCLES = extent(20, 10);

describe('device memory', () => {
  it('is refused before any is taken when an arena exceeds what the device allows, naming the bytes', async () => {
    const { backend, liveBuffers } = await openWatched();
    const largest = backend.device.maxBlockBytes!;
    const words = largest / 4 + 64;

    await expect(backend.load(someParameters(), [scratchProgram(words)])).rejects.toMatchObject({
      code: 'out-of-memory',
      message: `arena: ${words * 4} bytes needed, the device allows ${largest} in one buffer`,
    });
    expect(liveBuffers()).toEqual([]);
  });

  it('is refused for parameters whose moments do not fit, naming the bytes', async () => {
    const { backend, liveBuffers } = await openWatched();
    const largest = backend.device.maxBlockBytes!;
    const layout = parametersOf(largest / 8 + 64);

    await expect(backend.load(layout, [scratchProgram(64)])).rejects.toMatchObject({
      code: 'out-of-memory',
      message: `moments: ${2 * layout.blockBytes} bytes needed, the device allows ${largest} in one buffer`,
    });
    expect(liveBuffers()).toEqual([]);
  });

  it('is given back when the device runs out in the middle, naming the block', async () => {
    const { backend, device, liveBuffers } = await openWatched();
    let scopes = 0;
    const popErrorScope = device().popErrorScope.bind(device());
    device().popErrorScope = async () => {
      await popErrorScope();
      // Parameters, gradients, moments, arena.
      return ++scopes === 4 ? new GPUOutOfMemoryError('no more') : null;
    };

    await expect(backend.load(someParameters(), [scratchProgram(1024)])).rejects.toMatchObject({
      code: 'out-of-memory',
      message: 'arena: the device cannot give 4096 bytes',
    });
    expect(liveBuffers()).toEqual([]);
  });

  it('is given back when a player is closed: many of them take no more than one', async () => {
    const { backend, liveBuffers } = await openWatched();
    const words = 1 << 22;
    const cycle = async () => {
      const { player, program, target } = await loadFill(backend, words);
      player.play(program);
      const values = await player.read(target);
      player.close();
      return values[words - 1];
    };
    expect(await cycle()).toBe(0.5);
    const before = process.memoryUsage.rss();
    for (let i = 0; i < CYCLES; i++) await cycle();

    expect(liveBuffers()).toEqual([]);
    // Each held 16 MiB on the device and as much to read it back: 320 MiB in all at the least.
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  });

  it('of one player is not that of another, and outlives it', async () => {
    const { backend } = await openWatched();
    const [a, b] = [await loadFill(backend, 100), await loadFill(backend, 100)];
    a.player.write(a.target, new Float32Array(100).fill(7));
    b.player.play(b.program);
    b.player.close();

    expect(await a.player.read(a.target)).toEqual(new Float32Array(100).fill(7));
  });
});

function someParameters(): ParameterLayout {
  return parametersOf(64);
}

function parametersOf(count: number): ParameterLayout {
  const initial = { kind: 'constant', value: 0 } as const;
  return layOutParameters([{ name: 'weights', shape: [count], initial, decayed: true }]);
}
