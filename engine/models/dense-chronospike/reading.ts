import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { ngramModelOf } from '../../ngrams/stored.ts';
import type { FamilyReading } from '../family.ts';
import type { BatchedModel, BatchedModelOptions } from '../language/batched-model.ts';
import {
  createTextGenerator,
  type LanguageModel,
  type LanguageModelOptions,
} from '../language/generator.ts';
import { checkSlots, createSlotModel, readingSizes } from '../language/slot-model.ts';
import { modelOf } from '../stored-model.ts';
import { structureFromSpec } from './family.ts';
import { createReadingContext, traceReading, writeWeights } from './reading-programs.ts';
import { spikeUseOf } from './spike-use.ts';

/** Throws EngineError `checkpoint-mismatch` for a model of another family. */
async function openLanguage(
  backend: Backend,
  stored: StoredModel,
  { weights = 'float32' }: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const { spec, layout, values, tokenizer } = modelOf(stored, 'dense_chronospike');
  const structure = structureFromSpec(spec);
  const tables = ngramModelOf(stored);
  const context = createReadingContext(layout, structure, { slots: 1, weights });
  const traced = traceReading(context, 1);
  const player = await backend.load(layout, [traced.program]);
  writeWeights(player, context, values);
  return { ...createTextGenerator(player, traced, tokenizer, tables), close: () => player.close() };
}

async function openBatched(
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

export const reading: FamilyReading = { openBatched, openLanguage };
