import { packCheckpoint } from '../../engine/checkpoint/checkpoint.ts';
import type { CheckpointFiles } from '../../engine/checkpoint/files.ts';
import { tokenizerReferenceOf } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { modelSpecOf } from '../../engine/models/dense-chronospike/family.ts';
import { executionOf } from '../../engine/models/start-run.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { WORD_BYTES } from '../../engine/graph/tensor.ts';
import { chronospikeParameters } from '../../engine/models/dense-chronospike/structure.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import {
  runSettingsOf,
  structureOf,
  type TrainingSettings,
} from '../../engine/models/dense-chronospike/settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';

export type ModelSize = Pick<TrainingSettings, 'width' | 'heads' | 'blocks'>;

/** Letters that the models know: 96 of ASCII. */
export const VOCABULARY = 96;

/** A language model that nobody trained: a fifth of its neurons fires. */
export function untrainedModel(size: ModelSize) {
  const settings: TrainingSettings = {
    ...{ ...size, steps: 4, sequence: 128, batch: 1, learningRate: 0.003, seed: 1 },
    budget: { kind: 'steps', steps: 1 },
  };
  const characters = Array.from({ length: VOCABULARY }, (_, i) => String.fromCodePoint(32 + i));
  const tokenizer = createCharacterTokenizer(characters);
  const structure = structureOf(settings, VOCABULARY);
  const layout = layOutParameters(chronospikeParameters(structure));
  const values = new Float32Array(layout.blockBytes / WORD_BYTES);
  for (const parameter of layout.parameters) {
    values.set(initialValues(parameter, settings.seed), parameter.offsetBytes / WORD_BYTES);
  }
  const spec = modelSpecOf(structure, settings.sequence, tokenizerReferenceOf(tokenizer));
  return {
    spec,
    tokenizer,
    layout,
    values,
    execution: executionOf(runSettingsOf(settings), stableBaseline),
  };
}

/** The same as the files of a checkpoint. */
export function untrainedFiles(size: ModelSize): CheckpointFiles {
  const model = untrainedModel(size);
  const moments = () => new Float32Array(model.values.length);
  const { seed } = model.execution.effective;
  return packCheckpoint({
    ...model,
    momentum: moments(),
    variance: moments(),
    state: {
      step: 0,
      seconds: 0,
      random: { generator: 'philox4x32-10', seed, step: 0 },
      data: {
        name: 'nothing',
        sha256: '0'.repeat(64),
        characters: 0,
        position: { epoch: 0, step_in_epoch: 0 },
      },
      last_loss: null,
    },
  });
}
