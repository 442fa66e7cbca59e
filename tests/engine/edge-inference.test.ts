import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { unpackModel } from '../../engine/models/stored-model.ts';
import type { CheckpointFiles } from '../../engine/checkpoint/files.ts';
import { openLanguageModel } from '../../engine/models/open-model.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { openNovel } from './novel.ts';
import { askWorker } from './workerd.ts';

const settings = {
  ...{ width: 16, heads: 2, blocks: 1, steps: 2, sequence: 16, batch: 8 },
  ...{ learningRate: 0.02, seed: 1, budget: { kind: 'steps', steps: 60 } as const },
};

async function trainALittle(): Promise<CheckpointFiles> {
  const backend = await openWasmBackend({ threads: 1 });
  const run = await createTrainingRun({
    ...{ backend, corpus: await openNovel(), settings, controls: stableBaseline },
  });
  await run.advance(60);
  const files = await run.checkpoint();
  run.close();
  return files;
}

describe('a model in workerd', () => {
  it('writes the very text that it writes in Node, on one thread of WASM', async () => {
    const files = await trainALittle();
    const form = new FormData();
    for (const [name, bytes] of files) form.set(name, new Blob([Uint8Array.from(bytes)]), name);

    const answer = await askWorker('edge-worker.ts', { method: 'POST', body: form });
    const { text, device } = answer as { text: string; device: string };

    const backend = await openWasmBackend({ threads: 1, deterministic: true });
    const model = await openLanguageModel(backend, unpackModel(files));
    let expected = '';
    const sampling = { temperature: 0.8, topK: 0, topP: 1, seed: 5 };
    const request = { prompt: 'Call me ', tokens: 40, ...sampling };
    for await (const piece of model.generate(request)) expected += piece;
    expect([...text]).toHaveLength(40);
    expect(text).toBe(expected);
    expect(device).toContain('1 thread');
  });
});
