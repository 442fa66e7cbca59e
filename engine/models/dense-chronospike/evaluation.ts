import { unpackModel } from '../../checkpoint/checkpoint.ts';
import { settingsOf } from '../../checkpoint/training-state.ts';
import { openCorpus } from '../../data/corpus.ts';
import type { OpenEvaluation } from '../../evaluation/evaluator.ts';
import { openTextEvaluation } from '../../evaluation/text-evaluation.ts';
import { characterSizes } from '../../evaluation/token-sizes.ts';
import { openStreamScorer, openWindowScorer } from './scorers.ts';

export const openChronospikeEvaluation: OpenEvaluation = (sources) => {
  const { backend, files, signal } = sources;
  const stored = unpackModel(files);
  const { tokenizer, layout, execution } = stored;
  return openTextEvaluation(sources, {
    parameters: layout.count,
    sizes: characterSizes(tokenizer.characters),
    openCorpus: (file) => openCorpus(file, { tokenizer, ...(signal && { signal }) }),
    openStream: (slots) => openStreamScorer(backend, stored, slots),
    // The windows and batches of its own validation, so that the loss is the same.
    openWindows: () => openWindowScorer(backend, stored, settingsOf(execution)),
  });
};
