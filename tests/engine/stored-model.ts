import { packCheckpoint, type StoredTraining } from '../../engine/checkpoint/checkpoint.ts';
import {
  type CheckpointFiles,
  decodeJson,
  encodeJson,
  MANIFEST,
  withManifest,
} from '../../engine/checkpoint/files.ts';
import { tokenizerReferenceOf } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { type ChronospikeSpec, modelSpecOf } from '../../engine/models/dense-chronospike/family.ts';
import { executionOf } from '../../engine/models/start-run.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import type { Tokenizer } from '../../engine/data/tokenizers/tokenizer.ts';
import { layOutParameters, type ParameterLayout } from '../../engine/graph/parameters.ts';
import { WORD_BYTES, wordCount } from '../../engine/graph/tensor.ts';
import type { SafetensorsEntry } from '../../engine/checkpoint/safetensors.ts';
import { ruleParts } from '../../engine/models/dense-chronospike/neuron-rules.ts';
import { chronospikeParameters } from '../../engine/models/dense-chronospike/structure.ts';
import {
  runSettingsOf,
  structureOf,
  type TrainingSettings,
} from '../../engine/models/dense-chronospike/settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { randomSource, type Source } from './random.ts';

export const storedSettings: TrainingSettings = {
  width: 12,
  heads: 3,
  blocks: 2,
  steps: 2,
  sequence: 16,
  batch: 4,
  learningRate: 0.003,
  seed: 2 ** 40 + 5,
  budget: { kind: 'epochs', epochs: 1.5 },
};

/** The characters that the stored model knows. */
export const STORED_ALPHABET = '\n aé日\u{1F600}';

/** A training with random parameters and moments, as it would be after 321 steps. */
export function storedTraining(
  settings: TrainingSettings = storedSettings,
  known: string | Tokenizer = STORED_ALPHABET,
): StoredTraining<ChronospikeSpec> {
  const tokenizer = typeof known === 'string' ? createCharacterTokenizer(known) : known;
  const structure = structureOf(settings, tokenizer.size);
  const layout = layOutParameters(chronospikeParameters(structure));
  const from = randomSource(9);
  const controls = { ...stableBaseline, gradClipNorm: 0.5 };
  const parts = ruleParts(structure, controls).map(({ name, shape }) => {
    const data = from.floats(shape.reduce((a, b) => a * b, 1));
    return [name, { dtype: 'F32', shape, data }] satisfies [string, SafetensorsEntry];
  });
  return {
    spec: modelSpecOf(structure, settings.sequence, tokenizerReferenceOf(tokenizer)),
    tokenizer,
    layout,
    values: randomBlock(layout, from),
    momentum: randomBlock(layout, from),
    variance: randomBlock(layout, from),
    execution: executionOf(runSettingsOf(settings), controls),
    trainingBuffers: new Map(parts),
    state: {
      step: 321,
      seconds: 12.75,
      random: { generator: 'philox4x32-10', seed: settings.seed, step: 321 },
      data: {
        name: 'moby.txt',
        sha256: 'ab'.repeat(32),
        characters: 12345,
        position: { epoch: 1, step_in_epoch: 17 },
      },
      last_loss: 2.5,
    },
  };
}

/** A checkpoint some of whose files are other ones, under a manifest that vouches for them all. */
export function repacked(
  files: CheckpointFiles,
  changes: Readonly<Record<string, Uint8Array>>,
): CheckpointFiles {
  const kept = [...files].filter(([name]) => name !== MANIFEST);
  return withManifest(new Map([...kept, ...Object.entries(changes)]));
}

/** A checkpoint with one field of one JSON file changed; `undefined` leaves it out. */
export function withField(
  files: CheckpointFiles,
  file: string,
  path: readonly string[],
  value: unknown,
): CheckpointFiles {
  const json = decodeJson(file, files.get(file)!) as Record<string, unknown>;
  const parents = path.slice(0, -1);
  const owner = parents.reduce((node, key) => node[key] as Record<string, unknown>, json);
  owner[path.at(-1)!] = value;
  const changed = encodeJson(json);
  if (file === MANIFEST) return new Map([...files, [file, changed]]);
  return repacked(files, { [file]: changed });
}

export const storedFiles = packCheckpoint(storedTraining());

/** Zero between the parameters, as the optimiser leaves it. */
function randomBlock(layout: ParameterLayout, from: Source): Float32Array {
  const block = new Float32Array(layout.blockBytes / WORD_BYTES);
  for (const { value, offsetBytes } of layout.parameters) {
    block.set(from.floats(wordCount(value)), offsetBytes / WORD_BYTES);
  }
  return block;
}
