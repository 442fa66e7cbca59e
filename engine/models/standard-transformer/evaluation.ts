import { modelOf } from '../stored-model.ts';
import type { OpenEvaluation } from '../../evaluation/evaluator.ts';
import { openTextEvaluation } from '../../evaluation/text-evaluation.ts';
import { openTransformerStream, openTransformerWindows } from './scorers.ts';

export const openEvaluation: OpenEvaluation = (sources) => {
  const { backend, stored } = sources;
  const model = modelOf(stored, 'standard_transformer');
  // The batches of its own validation, so that the loss is the same.
  const { batch_size: batch } = model.execution.effective;
  return openTextEvaluation(sources, {
    openStream: (slots) => openTransformerStream(backend, model, slots),
    openWindows: () => openTransformerWindows(backend, model, batch),
  });
};
