import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { createTextGenerator } from '../dense-chronospike/generator.ts';
import type { LanguageModel } from '../dense-chronospike/language-model.ts';
import { loadSparse, sparseModelOf } from './load.ts';
import { createSparseReading, traceSparseToken } from './reading-programs.ts';
import type { SparseSpec } from './spec.ts';

/** Builds a model from its own model_spec and loads parameters, codes and synapses onto a device. */
export async function openSparseModel(
  backend: Backend,
  stored: StoredModel<SparseSpec>,
): Promise<LanguageModel> {
  const model = sparseModelOf(stored);
  const traced = traceSparseToken(createSparseReading(model, 1), 1);
  const player = await loadSparse(backend, stored, model, [traced.program]);
  return {
    ...createTextGenerator(player, traced, stored.tokenizer),
    close: () => player.close(),
  };
}
