import type { Backend } from '../../graph/backend.ts';
import { modelOf, type StoredModel } from '../../checkpoint/checkpoint.ts';
import type { BatchedModel, BatchedModelOptions } from '../batched-model.ts';
import { createSlotModel } from '../slot-model.ts';
import { checkSlots, readingSizes } from '../slot-reads.ts';
import { createReadingContext, traceReading } from './reading-programs.ts';
import { writeWeights } from './reading-weights.ts';
import { structureFromSpec } from './spec.ts';
import { spikeUseOf } from './spike-use.ts';

export type { BatchedModel } from '../batched-model.ts';
export type { SlotRead } from '../slot-reads.ts';

/** Builds a model from its own model_spec and loads its parameters once for all sizes of batches. */
export async function openBatchedModel(
  backend: Backend,
  stored: StoredModel,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedModel> {
  checkSlots(slots);
  const { spec, layout, values } = modelOf(stored, 'dense_chronospike');
  const structure = structureFromSpec(spec);
  // One more than asked for: rows that nobody uses read into it.
  const context = createReadingContext(layout, structure, { slots: slots + 1, weights });
  const programs = readingSizes(slots).map((rows) => traceReading(context, rows));
  const observation = traceReading(context, 1, { keepsSpikes: true });
  const loaded = [...programs, observation].map(({ program }) => program);
  const player = await backend.load(layout, loaded);
  writeWeights(player, context, values);
  return createSlotModel(player, {
    vocabulary: structure.vocabulary,
    slots,
    programs,
    observation,
    useOf: (counts, tokens) => spikeUseOf(structure, counts, tokens),
  });
}
