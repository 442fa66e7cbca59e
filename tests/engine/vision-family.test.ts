import { families } from '../../engine/models/families.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { decodeSafetensors } from '../../engine/checkpoint/safetensors.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import { training as visionFamily } from '../../engine/models/spiking-vision/training.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { bandedPictures, dataSet } from './data-sets.ts';
import { wasmVariants } from './play.ts';
import { storedTraining } from './stored-model.ts';

const pictures = bandedPictures(160, 45);

function settingsWith(fields: Fields, epochs = 8): RunSettings {
  return {
    architecture: 'spiking_vision',
    fields: { output_dim: 3, time_steps: 4, ...fields },
    batch: 16,
    learningRate: 5e-3,
    seed: 3,
    budget: { kind: 'epochs', epochs },
  };
}

let backend: Backend;
beforeAll(async () => {
  backend = await wasmVariants['wasm, relaxed, 2 threads']();
});
afterAll(() => backend.close());

async function runWith(
  settings: RunSettings,
  resume?: ReturnType<typeof unpackTraining>,
  average = 0,
) {
  const data = await visionFamily.openData(pictures, settings);
  const controls = { ...stableBaseline, average };
  const options = { backend, settings, controls, ...(resume && { resume }) };
  return visionFamily.createRun(options, data);
}

describe('spiking_vision', () => {
  it.each(['conv', 'mlp'])('learns pictures as %s and says what it mixes up', async (variant) => {
    const run = await runWith(settingsWith({ model_variant: variant }));
    expect(run.stepsPerEpoch).toBe(10);

    await run.advance(80);
    const { loss, figures, confusion, layers } = await run.validate();

    expect(figures?.['accuracy']).toBeGreaterThan(0.9);
    expect(loss).toBeLessThan(0.5);
    expect(confusion?.flat().reduce((sum, count) => sum + count, 0)).toBe(45);
    const right = confusion!.reduce((sum, row, label) => sum + row[label]!, 0);
    expect(right / 45).toBeCloseTo(figures!['accuracy']!);
    expect(layers.map(({ name }) => name)).toEqual(
      variant === 'conv' ? ['blocks.0', 'blocks.1', 'hidden'] : ['hidden'],
    );
    for (const { rate } of layers) {
      expect(rate).toBeGreaterThan(0);
      expect(rate).toBeLessThan(1);
    }
    run.close();
  });

  it('resumes bit for bit, though the model is the average of its weights in fewer digits', async () => {
    const settings = settingsWith({ model_variant: 'mlp', precision: 'f16', quantization: 'int8' });
    const run = await runWith(settings, undefined, 0.5);
    await run.advance(6);
    const stored = unpackTraining(await run.checkpoint());
    await run.advance(5);
    const wanted = unpackTraining(await run.checkpoint());
    const resumed = await runWith(settings, stored, 0.5);
    await resumed.advance(5);
    const after = unpackTraining(await resumed.checkpoint());
    run.close();
    resumed.close();

    expect(after.values).toEqual(wanted.values);
    expect(after.average).toEqual(wanted.average);
    // The weights themselves, without a loss of digits.
    expect(wanted.average).toMatchObject({ taken: 11 });
    expect(wanted.average!.values).not.toEqual(wanted.values);
  });

  it('resumes from a checkpoint bit for bit, though the model is stored in fewer digits', async () => {
    const settings = settingsWith({
      ...{ model_variant: 'mlp', precision: 'f16', quantization: 'int8' },
      augmentation: 'varied',
    });
    const run = await runWith(settings);
    await run.advance(6);
    const files = await run.checkpoint();
    const { losses } = await run.advance(5);
    const wanted = await run.parameters();

    const resumed = await runWith(settings, unpackTraining(files));
    expect(resumed.step()).toBe(6);
    expect((await resumed.advance(5)).losses).toEqual(losses);
    expect(await resumed.parameters()).toEqual(wanted);
    run.close();
    resumed.close();
  });

  it('stores int8 matrices and half precision for the rest, and measures what that costs', async () => {
    const settings = settingsWith({ model_variant: 'mlp', precision: 'f16', quantization: 'int8' });
    const run = await runWith(settings);
    await run.advance(40);
    const { figures } = await run.validate();
    const values = await run.parameters();
    const files = await run.checkpoint();

    const { tensors } = decodeSafetensors(files.get('model.safetensors')!, 'model.safetensors');
    expect(tensors.get('hidden.weight')).toMatchObject({ dtype: 'I8', shape: [64, 512] });
    expect(tensors.get('hidden.weight.scale')).toMatchObject({ dtype: 'F16', shape: [512] });
    expect(tensors.get('output.bias')).toMatchObject({ dtype: 'F16', shape: [3] });
    const bytes = 64 * 512 + 512 * 3 + 2 * (2 * 512 + 2 * 3);
    const floats = 4 * (64 * 512 + 512 * 3 + 512 + 3);
    expect(figures).toMatchObject({ stored_bytes: bytes, trained_bytes: floats });
    expect(figures!['stored_accuracy']).toBeGreaterThan(figures!['accuracy']! - 0.1);
    // Inference uses the stored weights; measuring does not touch those in training.
    const { values: stored, layout } = unpackModel(files);
    const largest = Math.max(...stored.map((value, i) => Math.abs(value - values[i]!)));
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(0.02);
    expect(layout.count).toBe(64 * 512 + 512 * 3 + 512 + 3);
    expect(unpackTraining(files).values).toEqual(values);
    run.close();
  });

  it('refuses fields of texts, checkpoints of other families and other pictures', async () => {
    expect(() => families.spiking_vision.check(settingsWith({ seq_len: 64 }))).toThrow(
      /spiking_vision has no field seq_len: expected only model_category, model_variant/,
    );
    expect(() => families.spiking_vision.check(settingsWith({ precision: 'bf16' }))).toThrow(
      'precision is bf16: expected one of f32, f16',
    );

    await expect(runWith(settingsWith({}), storedTraining())).rejects.toMatchObject({
      code: 'checkpoint-mismatch',
      message: expect.stringContaining('dense_chronospike'),
    });
    await expect(runWith(settingsWith({ output_dim: 2 }))).rejects.toMatchObject({
      message: expect.stringContaining('3 classes: the model takes 1 x 64 and has 2 classes'),
    });
    const none = dataSet('nothing', { 'readme.txt': new Uint8Array(3) });
    await expect(visionFamily.openData(none, settingsWith({}))).rejects.toMatchObject({
      code: 'images-invalid',
    });
  });
});
