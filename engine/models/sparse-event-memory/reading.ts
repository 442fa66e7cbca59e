import { bufferTensors, layOutFixedPart } from './fixed-part.ts';
import type { Backend, Player } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { EngineError } from '../../errors.ts';
import type { Program } from '../../graph/program.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { writeBuffers } from '../../train/parameter-blocks.ts';
import { ngramModelOf } from '../../ngrams/stored.ts';
import type { FamilyReading } from '../family.ts';
import type { BatchedModel, BatchedModelOptions, LayerSpikes } from '../language/batched-model.ts';
import { createTextGenerator, type LanguageModel } from '../language/generator.ts';
import { checkSlots, createSlotModel, readingSizes } from '../language/slot-model.ts';
import { modelOf } from '../stored-model.ts';
import { type SparseSpec, sparseStructureFrom } from './family.ts';
import type { SparseModel } from './learning.ts';
import { createSparseReading, traceSparseToken } from './reading-programs.ts';
import { sparseUseOf } from './spike-use.ts';
import type { SparseStructure } from './structure.ts';

/** Builds a model from its own model_spec and loads parameters, codes and synapses onto a device. */
async function openSparseModel(
  backend: Backend,
  stored: StoredModel<SparseSpec>,
): Promise<LanguageModel> {
  const model = sparseModelOf(stored);
  const tables = ngramModelOf(stored);
  const traced = traceSparseToken(createSparseReading(model, 1), 1);
  const player = await loadSparse(backend, stored, model, [traced.program]);
  return {
    ...createTextGenerator(player, traced, stored.tokenizer, tables),
    close: () => player.close(),
  };
}

/** Loads a model with a state for each slot, whose size does not depend on how much was read. */
async function openBatchedSparse(
  backend: Backend,
  stored: StoredModel<SparseSpec>,
  { slots, weights = 'float32' }: BatchedModelOptions,
): Promise<BatchedModel> {
  checkSlots(slots);
  checkWeights('sparse_event_memory', weights);
  const model = sparseModelOf(stored);
  const { structure } = model;
  // One more than asked for: rows that nobody uses read into it.
  const context = createSparseReading(model, slots + 1);
  const programs = readingSizes(slots).map((rows) => traceSparseToken(context, rows));
  const observation = traceSparseToken(context, 1, { keepsSpikes: true });
  const loaded = [...programs, observation].map(({ program }) => program);
  const player = await loadSparse(backend, stored, model, loaded);
  const batched = createSlotModel(player, {
    vocabulary: structure.vocabulary,
    slots,
    programs,
    observation,
    useOf: (counts, tokens) => sparseUseOf(structure, counts, tokens),
  });
  return {
    ...batched,
    async observe(read) {
      const { logits, layers } = await batched.observe(read);
      return {
        logits,
        layers: layers.map((layer) => ({ ...layer, spikes: joinedRows(layer, structure) })),
      };
    },
  };
}

/** One row of the neurons of all experts at work, whose own rows are each padded to whole words. */
export function joinedRows(
  { neurons, spikes }: LayerSpikes,
  { width }: SparseStructure,
): Uint32Array {
  const padded = 32 * wordsPerRow(width);
  const row = new Uint32Array(wordsPerRow(neurons));
  for (let neuron = 0; neuron < neurons; neuron++) {
    const bit = Math.floor(neuron / width) * padded + (neuron % width);
    const fires = ((spikes[bit >>> 5] ?? 0) >>> (bit & 31)) & 1;
    row[neuron >>> 5] = (row[neuron >>> 5] ?? 0) | (fires << (neuron & 31));
  }
  return row;
}

/** Throws EngineError `invalid-setting` where synapses are to be rounded that are bytes already. */
export function checkWeights(owner: string, weights: 'float32' | 'int8'): void {
  if (weights === 'float32') return;
  throw new EngineError(
    'invalid-setting',
    `weights is ${weights}: the synapses of ${owner} are signed bytes already, expected float32`,
  );
}

export const reading: FamilyReading = {
  openBatched: (backend, stored, options) =>
    openBatchedSparse(backend, modelOf(stored, 'sparse_event_memory'), options),
  openLanguage: (backend, stored) =>
    openSparseModel(backend, modelOf(stored, 'sparse_event_memory')),
};

/** A stored model as its programs are traced from it. */
export function sparseModelOf({ spec, layout }: StoredModel<SparseSpec>): SparseModel {
  const structure = sparseStructureFrom(spec);
  return { structure, layout, fixed: layOutFixedPart(structure) };
}

/** Loads programs with the parameters, codes and synapses of a stored model. */
export async function loadSparse(
  backend: Backend,
  { values, buffers }: Pick<StoredModel, 'values' | 'buffers'>,
  { structure, layout, fixed }: SparseModel,
  programs: readonly Program[],
): Promise<Player> {
  const player = await backend.load(layout, programs);
  player.write(layout.values, values);
  writeBuffers(player, bufferTensors(structure, fixed), buffers);
  return player;
}
