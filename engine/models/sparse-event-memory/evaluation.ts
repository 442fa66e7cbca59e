import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Opened, OpenEvaluation } from '../../evaluation/evaluator.ts';
import type { SpikeCounts } from '../../evaluation/sections.ts';
import { openTextEvaluation } from '../../evaluation/text-evaluation.ts';
import type { StreamScorer, WindowScorer } from '../../evaluation/text-evaluator.ts';
import { memoryOf, type Program } from '../../graph/program.ts';
import { byteLength } from '../../graph/tensor.ts';
import {
  createStreamScorer,
  createWindowScorer,
  spikesOfLayers,
} from '../language/text-scorers.ts';
import { modelOf } from '../stored-model.ts';
import type { SparseSpec } from './family.ts';
import { loadSparse, sparseModelOf } from './reading.ts';
import type { BatchShape } from '../language/text-programs.ts';
import type { SparseModel } from './learning.ts';
import { traceSparseScoring } from './programs.ts';
import { createSparseReading, sparseLayers, traceSparseToken } from './reading-programs.ts';
import { sparseUseOf } from './spike-use.ts';
import type { SparseStructure } from './structure.ts';

export const openEvaluation: OpenEvaluation = (sources) => {
  const { backend, stored } = sources;
  const model = modelOf(stored, 'sparse_event_memory');
  const { spec, execution } = model;
  // The windows and batches of its own validation, so that the loss is the same.
  const shape = { batch: execution.effective.batch_size, sequence: spec.core.seq_len };
  return openTextEvaluation(sources, {
    openStream: (slots) => openSparseStream(backend, model, slots),
    openWindows: () => openSparseWindows(backend, model, shape),
  });
};

/** The router's mean gives earlier tokens a weight of e^-2 after twice the number of tokens it averages. */
const ROUTER_MEMORIES = 2;

/** A stored model that reads `slots` texts at once, each with carried state. */
async function openSparseStream(
  backend: Backend,
  stored: StoredModel<SparseSpec>,
  slots: number,
): Promise<StreamScorer & Opened> {
  const model = sparseModelOf(stored);
  const { structure } = model;
  // One slot more: rows of texts that have ended read into it.
  const traced = traceSparseToken(createSparseReading(model, slots + 1), slots);
  return createStreamScorer({
    player: await loadSparse(backend, stored, model, [traced.program]),
    traced,
    slots,
    vocabulary: structure.vocabulary,
    memoryTokens: ROUTER_MEMORIES * structure.routerMemory,
    memory: memoryOfSparse(model, traced.program),
    countsOf: (totals, units) => countsOf(structure, totals, units),
  });
}

/** A stored model that reads `batch` windows of `sequence` tokens at once. */
async function openSparseWindows(
  backend: Backend,
  stored: StoredModel<SparseSpec>,
  shape: BatchShape,
): Promise<WindowScorer & Opened> {
  const model = sparseModelOf(stored);
  const { structure } = model;
  const traced = traceSparseScoring(model, shape);
  return createWindowScorer({
    player: await loadSparse(backend, stored, model, [traced.program]),
    traced,
    ...shape,
    vocabulary: structure.vocabulary,
    memory: memoryOfSparse(model, traced.program),
    countsOf: (totals, units) => countsOf(structure, totals, units),
  });
}

/** Codes and synapses are parameters of the model, though no gradient reaches them. */
function memoryOfSparse({ layout, fixed }: SparseModel, program: Program): Opened['memory'] {
  const { arena, lasting } = memoryOf([program]);
  const codesAndSynapses = fixed.tensors.reduce((sum, tensor) => sum + byteLength(tensor), 0);
  return {
    parameters: layout.blockBytes + codesAndSynapses,
    arena,
    lasting: lasting - codesAndSynapses,
  };
}

function countsOf(structure: SparseStructure, totals: Float64Array, units: number): SpikeCounts {
  const layers = spikesOfLayers(sparseLayers(structure), totals);
  return { use: sparseUseOf(structure, totals, units), steps: 1, units, layers };
}
