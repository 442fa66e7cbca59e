import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODEL_FILES, packCheckpoint } from '../../engine/checkpoint/checkpoint.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { type CheckpointFiles, MANIFEST } from '../../engine/checkpoint/files.ts';
import { tokenizerFile, vocabularyOf } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { encodeBlocks } from '../../engine/checkpoint/parameters-file.ts';
import { controlsOf, settingsOf } from '../../engine/checkpoint/training-state.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import { EngineError } from '../../engine/errors.ts';
import { runSettingsOf } from '../../engine/models/dense-chronospike/settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { extent } from './extent.ts';
import {
  repacked,
  storedFiles,
  storedSettings,
  storedTraining,
  withField,
} from './stored-model.ts';

const ALL_FILES = [...storedFiles.keys()];

describe('a checkpoint', () => {
  it('gives back all that was written: parameters, moments, state, tokenizer, spec and settings', () => {
    const written = storedTraining();

    const read = unpackTraining(packCheckpoint(written));

    expect(read.values).toEqual(written.values);
    expect(read.momentum).toEqual(written.momentum);
    expect(read.variance).toEqual(written.variance);
    expect(read.trainingBuffers).toEqual(written.trainingBuffers);
    expect(read.state).toEqual(written.state);
    expect(read.spec).toEqual(written.spec);
    expect(vocabularyOf(read.tokenizer!)).toEqual(vocabularyOf(written.tokenizer));
    expect(settingsOf(read.execution, 'dense_chronospike')).toEqual(runSettingsOf(storedSettings));
    expect(controlsOf(read.execution)).toEqual({ ...stableBaseline, gradClipNorm: 0.5 });
  });

  it('of any small structure gives back its parameters', () => {
    const sizes = fc.record({
      heads: fc.integer({ min: 1, max: 4 }),
      headWidth: fc.integer({ min: 1, max: 9 }),
      blocks: fc.integer({ min: 1, max: 3 }),
      steps: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(sizes, ({ heads, headWidth, blocks, steps }) => {
        const width = heads * headWidth;
        const written = storedTraining({ ...storedSettings, width, heads, blocks, steps });

        const read = unpackTraining(packCheckpoint(written));

        expect(read.layout.count).toBe(written.layout.count);
        expect(read.values).toEqual(written.values);
        expect(read.momentum).toEqual(written.momentum);
      }),
      { numRuns: 20 },
    );
  });

  it('says the submitted settings are the effective ones', () => {
    const { execution } = unpackModel(storedFiles);

    expect(execution.effective).toEqual(execution.submitted);
    expect(execution.submitted.budget).toEqual({ kind: 'epochs', epochs: 1.5 });
  });

  it('is read for inference without the files of the optimiser', () => {
    const names: string[] = [...MODEL_FILES, MANIFEST];
    const files = new Map([...storedFiles].filter(([name]) => names.includes(name)));

    const { values, spec } = unpackModel(files);

    expect(values).toEqual(storedTraining().values);
    expect(spec).toEqual(storedTraining().spec);
    expect(() => unpackTraining(files)).toThrow('optimizer.safetensors is missing');
  });
});

describe('a checkpoint that was damaged', () => {
  const contents = ALL_FILES.filter((name) => name !== MANIFEST);

  it.each(contents)('is refused naming %s when any of its bytes is another', (name) => {
    const bytes = storedFiles.get(name)!;
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(change, ([at, mask]) => {
        const altered = bytes.slice();
        altered[at]! ^= mask;
        const error = refusal(new Map([...storedFiles, [name, altered]]));

        expect(error.code).toBe('checkpoint-damaged');
        expect(error.message).toMatch(
          new RegExp(`^${name} was altered: its sha256 is [0-9a-f]{64}`),
        );
      }),
      { numRuns: 25 },
    );
  });

  it.each(contents)('is refused naming %s and both sizes when it was cut off', (name) => {
    const bytes = storedFiles.get(name)!;
    const files = new Map([...storedFiles, [name, bytes.slice(0, -1)]]);

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-damaged',
      message: `${name} has ${bytes.length - 1} bytes, expected ${bytes.length}`,
    });
  });

  it.each(ALL_FILES)('is refused when %s is not there, naming it and what is', (name) => {
    const files = new Map(storedFiles);
    files.delete(name);

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-missing',
      message: `${name} is missing: found ${[...files.keys()].join(', ')}`,
    });
  });

  it('is refused when there is nothing at all', () => {
    expect(refusal(new Map()).message).toBe('manifest.json is missing: found nothing');
  });

  it('is refused whichever bit of the manifest is another', () => {
    const manifest = storedFiles.get(MANIFEST)!;
    const change = fc.tuple(fc.nat(manifest.length - 1), fc.nat(7));
    fc.assert(
      fc.property(change, ([at, bit]) => {
        const altered = manifest.slice();
        altered[at]! ^= 1 << bit;
        const error = refusal(new Map([...storedFiles, [MANIFEST, altered]]));

        // Whether the manifest or the file was altered cannot be determined.
        expect(error.code).toBe('checkpoint-damaged');
        expect(error.message).toMatch(new RegExp(`^(${ALL_FILES.join('|')})( |:)`));
      }),
      { numRuns: extent(300, 60) },
    );
  });
});

describe('a checkpoint that does not fit together', () => {
  it('is refused when it is of another architecture, naming it', () => {
    const files = withField(storedFiles, 'model_spec.json', ['architecture'], 'perceptron');

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-mismatch',
      message: expect.stringMatching(
        /^the model has the architecture perceptron: expected dense_chronospike, /,
      ),
    });
  });

  it.each(['model.safetensors', 'optimizer.safetensors'])(
    'is refused when a tensor of %s has another shape, naming both',
    (name) => {
      const wider = storedTraining({ ...storedSettings, width: 15 });
      const files = repacked(storedFiles, { [name]: packCheckpoint(wider).get(name)! });
      const prefix = name.startsWith('optimizer') ? 'momentum.' : '';

      expect(refusal(files)).toMatchObject({
        code: 'checkpoint-mismatch',
        message: `${name}: ${prefix}embed.weight is F32 [6, 15], the model has F32 [6, 12]`,
      });
    },
  );

  it('is refused when the parameters are those of more blocks, naming both numbers', () => {
    const deeper = packCheckpoint(storedTraining({ ...storedSettings, blocks: 3 }));
    const files = repacked(storedFiles, {
      'model.safetensors': deeper.get('model.safetensors')!,
    });

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-mismatch',
      message: 'model.safetensors holds 41 tensors, the model has 29',
    });
  });

  it('is refused when a tensor has another name, naming the one that lacks', () => {
    const { layout, values } = storedTraining();
    const bytes = encodeBlocks(layout, { 'x.': values }, {});
    const files = repacked(storedFiles, { 'model.safetensors': bytes });

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-mismatch',
      message: 'model.safetensors lacks embed.weight [6, 12]',
    });
  });

  it('is refused when its tokenizer was swapped for one as large, naming both digests', () => {
    const other = tokenizerFile(createCharacterTokenizer('abcdef'));
    const own = tokenizerFile(storedTraining().tokenizer);
    const files = repacked(storedFiles, { 'tokenizer.json': other.bytes });

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-mismatch',
      message: `tokenizer.json has the sha256 ${other.digest}, model_spec.json names ${own.digest}`,
    });
  });

  it('is refused when its tokenizer has more characters, naming both numbers', () => {
    const other = tokenizerFile(createCharacterTokenizer('abcdefg'));
    const files = repacked(storedFiles, { 'tokenizer.json': other.bytes });

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-mismatch',
      message: 'tokenizer.json has 7 characters, model_spec.json says 6',
    });
  });

  it.each([
    ['in another order', { b: 0, a: 1 }],
    ['twice', { a: 0, b: 1, c: 1 }],
    ['in pairs', { ab: 0, c: 1 }],
    ['of no length', { '': 0, a: 1 }],
  ])('is refused when its tokenizer lists characters %s', (_, vocab) => {
    const files = withField(storedFiles, 'tokenizer.json', ['model', 'vocab'], vocab);

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-damaged',
      message: expect.stringMatching(
        /^tokenizer.json cannot be read: model.vocab: .* distinct single characters in code point order$/,
      ),
    });
  });

  it('is refused when its heads do not divide its width, naming both', () => {
    const files = withField(storedFiles, 'model_spec.json', ['n_heads'], 5);

    expect(refusal(files)).toMatchObject({
      code: 'invalid-structure',
      message:
        'dense_chronospike: d_model 12 is not divisible by 5 heads: expected a multiple of 5',
    });
  });
});

describe('a field of a checkpoint that is not what it should be', () => {
  it.each([
    ['model_spec.json', ['d_model'], -12],
    ['model_spec.json', ['core', 'surrogate'], 'relu'],
    ['model_spec.json', ['core', 'tau'], undefined],
    ['model_spec.json', ['tokenizer', 'name'], 'sentencepiece'],
    ['tokenizer.json', ['model'], undefined],
    ['config.json', ['training_execution', 'submitted', 'budget'], { kind: 'moons' }],
    ['config.json', ['training_execution', 'controls', 'beta1'], '0.9'],
    ['training_state.json', ['step'], 1.5],
    ['training_state.json', ['data', 'position', 'epoch'], null],
    ['manifest.json', ['version'], 2],
  ])('%s is refused, naming the field %j', (file, path, value) => {
    const error = refusal(withField(storedFiles, file, path, value));

    expect(error.code).toBe('checkpoint-damaged');
    expect(error.message).toMatch(`${file}: ${path.join('.')}`);
  });

  it('names a file that is nested without end', () => {
    const deep = new TextEncoder().encode('['.repeat(100_000) + ']'.repeat(100_000));

    for (const name of ['config.json', 'model_spec.json', 'tokenizer.json']) {
      expect(refusal(repacked(storedFiles, { [name]: deep }))).toMatchObject({
        code: 'checkpoint-damaged',
        message: expect.stringContaining(`${name} is not JSON: nested deeper than 100 levels`),
      });
    }
  });

  it('names the file that is not JSON', () => {
    const files = repacked(storedFiles, { 'config.json': new TextEncoder().encode('{"a":') });

    expect(refusal(files)).toMatchObject({
      code: 'checkpoint-damaged',
      message: expect.stringMatching(/^config\.json is not JSON: /),
    });
  });
});

/** The error of reading a checkpoint; anything but an EngineError fails the test. */
function refusal(files: CheckpointFiles): EngineError {
  try {
    unpackTraining(files);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('the checkpoint was accepted');
}
