import { modelOf } from '../stored-model.ts';
import type { OpenEvaluation } from '../../evaluation/evaluator.ts';
import { openTextEvaluation } from '../../evaluation/text-evaluation.ts';
import { openStreamScorer, openWindowScorer } from './scorers.ts';

export const openEvaluation: OpenEvaluation = (sources) => {
  const { backend, stored } = sources;
  const model = modelOf(stored, 'dense_chronospike');
  const { spec, execution } = model;
  // The windows and batches of its own validation, so that the loss is the same.
  const shape = { batch: execution.effective.batch_size, sequence: spec.core.seq_len };
  return openTextEvaluation(sources, {
    openStream: (slots) => openStreamScorer(backend, model, slots),
    openWindows: () => openWindowScorer(backend, model, shape),
  });
};
