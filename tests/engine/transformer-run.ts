import type { Backend } from '../../engine/graph/backend.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import { textRecordOf } from '../../engine/checkpoint/text-record.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import type { TextData } from '../../engine/checkpoint/run-data.ts';
import { training as transformerFamily } from '../../engine/models/standard-transformer/training.ts';
import type { TrainingOptions } from '../../engine/models/family.ts';
import type { RunSettings } from '../../engine/settings/run-settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';

export const transformerSettings: RunSettings = {
  architecture: 'standard_transformer',
  fields: { d_model: 16, n_heads: 2, num_blocks: 1, seq_len: 16 },
  batch: 8,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 150 },
};

export function textData(corpus: Corpus): TextData {
  const { name, digest, length, tokenizer } = corpus;
  const shape = { vocabulary: tokenizer.size };
  const text = textRecordOf(corpus.preparation);
  return { name, digest, length, shape, text, corpus, close: () => corpus.close() };
}

export function startTransformer(
  backend: Backend,
  corpus: Corpus,
  options: Partial<Omit<TrainingOptions, 'backend'>> = {},
) {
  return transformerFamily.createRun(
    { backend, settings: transformerSettings, controls: stableBaseline, ...options },
    textData(corpus),
  );
}

/** A small model that has learned a little of a text. */
export async function trainedTransformer(backend: Backend, corpus: Corpus, steps: number) {
  const run = await startTransformer(backend, corpus);
  await run.advance(steps);
  const stored = unpackTraining(await run.checkpoint());
  const { loss } = await run.validate();
  run.close();
  return { stored, loss };
}
