import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { type TrainingSettings } from '../../engine/models/dense-chronospike/settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import type { TrainingRun } from '../../engine/train/run.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { extent } from './extent.ts';
import { openNovel } from './novel.ts';
import { loadFill } from './small-programs.ts';
import { openWatched, watchedGpu } from './watched-gpu.ts';

describe('a device that is lost', () => {
  // Destroying it is the one loss that can be caused; the others arrive by the same promise.
  it.each(extent(['between two steps', 'while it computes'], ['while it computes']))(
    'fails what is asked of it next with device-lost: %s',
    async (when) => {
      const { backend, device } = await openWatched();
      const run = await startRun(backend);
      await run.advance(2);

      const running = when === 'while it computes' ? run.advance(60) : undefined;
      device().destroy();

      const lost = {
        code: 'device-lost',
        message: 'the WebGPU device was lost: device was destroyed',
      };
      await expect(running ?? run.advance(1)).rejects.toMatchObject(lost);
      await expect(run.advance(1)).rejects.toMatchObject(lost);
      await expect(run.validate()).rejects.toMatchObject(lost);
      await expect(run.checkpoint()).rejects.toMatchObject(lost);
      await expect(startRun(backend)).rejects.toMatchObject(lost);
    },
  );

  it('fails a read that is waiting, and every later call of its player', async () => {
    const { backend, device } = await openWatched();
    const { player, program, target } = await loadFill(backend, 1000);
    player.play(program);
    const waiting = Promise.allSettled([player.read(target), player.settled()]);
    device().destroy();

    const lost = { code: 'device-lost' };
    const failed = { status: 'rejected', reason: lost };
    expect(await waiting).toMatchObject([failed, failed]);
    await expect(player.read(target)).rejects.toMatchObject(lost);
    await expect(player.settled()).rejects.toMatchObject(lost);
    expect(() => player.play(program)).toThrow(expect.objectContaining(lost));
    expect(() => player.write(target, new Float32Array(1000))).toThrow(
      expect.objectContaining(lost),
    );
    expect(() => player.close()).not.toThrow();
  });

  it('notifies waiting callers of the reason, but not when it is closed on purpose', async () => {
    const lost = Promise.withResolvers<GPUDeviceLostInfo>();
    const { gpu } = watchedGpu((device) =>
      Object.defineProperty(device, 'lost', { value: lost.promise }),
    );
    const failing = await openWebGpuBackend({ gpu });
    lost.resolve({
      __brand: 'GPUDeviceLostInfo',
      reason: 'unknown',
      message: 'the driver went away',
    });
    await expect(failing.lost).resolves.toBe('the WebGPU device was lost: the driver went away');
    failing.close();

    const { backend, device } = await openWatched();
    backend.close();
    await device().lost;
    const first = await Promise.race([backend.lost, setImmediate('nothing')]);
    expect(first).toBe('nothing');
  });
});

const settings: TrainingSettings = {
  width: 4,
  heads: 1,
  blocks: 1,
  steps: 1,
  sequence: 8,
  batch: 2,
  learningRate: 0.01,
  seed: 1,
  budget: { kind: 'steps', steps: 1000 },
};

async function startRun(backend: Backend): Promise<TrainingRun> {
  return createTrainingRun({
    backend,
    corpus: await openNovel(),
    settings,
    controls: stableBaseline,
  });
}
