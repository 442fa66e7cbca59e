import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSpikegrid } from './spikegrid.ts';

const SENTENCES =
  'the quick brown fox jumps over the lazy dog.\nshe sells sea shells by the sea shore.\n';

/** Some thousand characters that a small model learns within seconds. */
export const TEXT = Array.from(
  { length: 400 },
  (_, line) => `The whale number ${line} swims in the deep blue sea, and ${line % 7} ships follow.`,
).join('\n');

/** A text model with two versions, the newer one named `production`. */
export const TEXT_MODEL = { id: 'foxes', versions: ['1.0.0', '1.1.0'] } as const;

/** Trains versions of a small text model, each longer than the one before, the first without n-gram tables, and registers them. */
export async function registerTextModel(
  gateway: string,
  versions: readonly string[] = TEXT_MODEL.versions,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-text-'));
  const dataset = join(folder, 'text.txt');
  writeFileSync(dataset, SENTENCES.repeat(200));
  for (const [index, version] of versions.entries()) {
    const run = join(folder, version);
    const steps = `${10 + index * 20}`;
    await runSpikegrid(
      'train',
      '--dataset',
      dataset,
      '--output',
      run,
      '--preset',
      'tiny',
      '--steps',
      steps,
      // With tables, all of them would say the same.
      ...(index === 0 ? ['--ngram-order', '0'] : []),
    );
    const named = ['--id', TEXT_MODEL.id, '--model-version', version, '--name', 'Foxes'];
    const alias = index === 1 ? ['--alias', 'production'] : [];
    await runSpikegrid('models', 'push', run, '--gateway', gateway, ...named, ...alias);
  }
  rmSync(folder, { recursive: true });
}

/** Resolves once the inference service answers. */
export async function inferenceReady(gateway: string): Promise<void> {
  for (;;) {
    const { ok } = await fetch(`${gateway}/inference/models`);
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
