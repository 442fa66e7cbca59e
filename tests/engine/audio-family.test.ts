import { families } from '../../engine/models/families.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import type { DataFiles } from '../../engine/data/files/data-files.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import { training as audioFamily } from '../../engine/models/spiking-audio/training.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline as controls } from '../../engine/settings/controls.ts';
import { dataSet, wavFile } from './data-sets.ts';
import { wasmVariants } from './play.ts';

function settingsWith(fields: Fields): RunSettings {
  return {
    architecture: 'spiking_audio',
    fields: { output_neurons: 3, mfcc_features: 12, mfcc_seq_len: 10, ...fields },
    batch: 16,
    learningRate: 5e-3,
    seed: 4,
    budget: { kind: 'epochs', epochs: 10 },
  };
}

let backend: Backend;
beforeAll(async () => {
  backend = await wasmVariants['wasm, relaxed, 2 threads']();
});
afterAll(() => backend.close());

const nothing = dataSet('nothing', {});

async function runWith(
  settings: RunSettings,
  files: DataFiles,
  resume?: ReturnType<typeof unpackTraining>,
) {
  const data = await audioFamily.openData(files, settings);
  const options = { backend, settings, controls, ...(resume && { resume }) };
  return audioFamily.createRun(options, data);
}

const hum = (hertz: number) =>
  wavFile(Array.from({ length: 900 }, (_, i) => 0.4 * Math.sin((2 * Math.PI * hertz * i) / 8000)));
const index = (text: string) => ({ 'index.csv': new TextEncoder().encode(text) });

describe('spiking_audio', () => {
  it('learns synthetic tones, at two time steps per frame', async () => {
    const run = await runWith(settingsWith({ synthetic: true, time_steps: 2 }), nothing);
    expect(run.stepsPerEpoch).toBe(5);

    await run.advance(50);
    const { figures, confusion, layers } = await run.validate();

    expect(figures?.['accuracy']).toBeGreaterThan(0.9);
    expect(confusion?.map((row) => row.reduce((a, b) => a + b, 0))).toEqual([10, 10, 10]);
    expect(layers).toMatchObject([{ name: 'hidden', neurons: 512 }]);
    expect(layers[0]!.rate).toBeGreaterThan(0.01);
    run.close();
  });

  it('resumes from a checkpoint bit for bit', async () => {
    const settings = settingsWith({ synthetic: true, augmentation: 'varied' });
    const run = await runWith(settings, nothing);
    await run.advance(4);
    const files = await run.checkpoint();
    const { losses } = await run.advance(4);

    const resumed = await runWith(settings, nothing, unpackTraining(files));
    expect((await resumed.advance(4)).losses).toEqual(losses);
    expect(await resumed.parameters()).toEqual(await run.parameters());
    run.close();
    resumed.close();
  });

  it('uses no synthetic data unless requested', async () => {
    await expect(audioFamily.openData(nothing, settingsWith({}))).rejects.toMatchObject({
      code: 'signal-invalid',
      message: 'the audio folder is invalid: none of 0 files is a WAV file',
    });
  });

  it('refuses fields of texts and features that no bank has', () => {
    expect(() => families.spiking_audio.check(settingsWith({ d_model: 64 }))).toThrow(
      /spiking_audio has no field d_model/,
    );
    expect(() => families.spiking_audio.check(settingsWith({ mfcc_features: 0 }))).toThrow(
      'mfcc_features is 0: expected a whole number from 1 to 128',
    );
  });
});

describe('a folder of sounds', () => {
  it('has its classes, speakers and parts from index.csv', async () => {
    const files = dataSet('spoken', {
      ...index('file,digit,speaker,split\nb.wav,7,ann,test\na.wav,3,bob,train\n'),
      'recordings/a.wav': hum(400),
      'recordings/b.wav': hum(900),
    });

    const { classNames, learned, validation, shape } = await audioFamily.openData(
      files,
      settingsWith({}),
    );

    expect(classNames).toEqual(['3', '7']);
    expect(shape).toEqual({ classes: 2 });
    expect(learned).toMatchObject([{ label: 0, speaker: 'bob', split: 'train' }]);
    expect(validation).toMatchObject([{ label: 1, speaker: 'ann', split: 'test' }]);
    expect(learned[0]!.audio.samples).toHaveLength(900);
  });

  it('takes the folder of each file for its class where there is no index', async () => {
    const sounds = ['high', 'low'].flatMap((name) =>
      Array.from({ length: 12 }, (_, i) => [`${name}/${i}.wav`, hum(200 + 10 * i)] as const),
    );

    const data = await audioFamily.openData(
      dataSet('hums', Object.fromEntries(sounds)),
      settingsWith({}),
    );

    expect(data.classNames).toEqual(['high', 'low']);
    expect(data.learned.length + data.validation.length).toBe(24);
    expect(data.validation.length).toBeGreaterThan(0);
  });

  it.each([
    ['name,digit\n', /has the columns name,digit: expected file and one of label, class, digit$/],
    ['file,label\nmissing.wav,1\n', /names missing.wav, which is not in the folder$/],
    ['file,label\na.wav,\n', /index.csv, line 2: a.wav has no label$/],
  ])('is refused with the index %j', async (text, message) => {
    const files = dataSet('spoken', { ...index(text), 'a.wav': hum(400) });

    await expect(audioFamily.openData(files, settingsWith({}))).rejects.toMatchObject({
      code: 'signal-invalid',
      message: expect.stringMatching(message),
    });
  });
});
