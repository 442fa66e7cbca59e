import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { unpackModel } from '../../engine/models/stored-model.ts';
import { openLanguageModel } from '../../engine/models/open-model.ts';
import { quantise } from '../../engine/ops/quantised-linear.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { openNovel } from './novel.ts';

describe('weights in 8 bits', () => {
  it('are at most half a step of their column away from what they stand for', () => {
    const columns = fc.integer({ min: 1, max: 9 });
    const weight = fc.float({ noNaN: true, min: -8, max: 8 });
    const matrices = columns.chain((outputs) =>
      fc
        .array(fc.array(weight, { minLength: outputs, maxLength: outputs }), {
          minLength: 1,
          maxLength: 20,
        })
        .map((rows) => ({ outputs, rows })),
    );
    fc.assert(
      fc.property(matrices, ({ outputs, rows }) => {
        const { words, scale } = quantise(Float32Array.from(rows.flat()), outputs);
        const bytes = new Int8Array(words.buffer);
        const stride = bytes.length / rows.length;
        for (const [r, row] of rows.entries()) {
          for (const [c, value] of row.entries()) {
            const step = scale[c]!;
            expect(Math.abs(bytes[r * stride + c]! * step - value)).toBeLessThanOrEqual(
              0.5001 * step + 1e-30,
            );
          }
        }
      }),
    );
  });

  it('write a text of the same kind as the whole weights do, and the same one every time', async () => {
    const backend = await openWasmBackend({ threads: 1 });
    const run = await createTrainingRun({
      backend,
      corpus: await openNovel(),
      settings: {
        ...{ width: 32, heads: 2, blocks: 1, steps: 2, sequence: 32, batch: 8 },
        ...{ learningRate: 0.01, seed: 1, budget: { kind: 'steps', steps: 300 } as const },
      },
      controls: stableBaseline,
    });
    await run.advance(300);
    const stored = unpackModel(await run.checkpoint());
    run.close();
    const write = async (weights: 'float32' | 'int8') => {
      const model = await openLanguageModel(backend, stored, { weights });
      let text = '';
      const request = {
        prompt: 'the sea ',
        tokens: 200,
        temperature: 0,
        topK: 0,
        topP: 1,
        seed: 1,
      };
      for await (const piece of model.generate(request)) text += piece;
      model.close();
      return text;
    };

    const [whole, rounded, again] = [
      await write('float32'),
      await write('int8'),
      await write('int8'),
    ];

    expect(again).toBe(rounded);
    // Single spikes flip, so the texts part; both are made of words.
    const letters = (text: string) =>
      [...text].filter((c) => /[a-z ]/.test(c)).length / text.length;
    expect(Math.abs(letters(rounded) - letters(whole))).toBeLessThan(0.1);
  });
});
