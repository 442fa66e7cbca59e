import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Opened, OpenEvaluation } from '../../evaluation/evaluator.ts';
import type { SpikeCounts } from '../../evaluation/sections.ts';
import { openTextEvaluation } from '../../evaluation/text-evaluation.ts';
import type { StreamScorer, WindowScorer } from '../../evaluation/text-evaluator.ts';
import { memoryOf } from '../../graph/program.ts';
import {
  createStreamScorer,
  createWindowScorer,
  spikesOfLayers,
} from '../language/text-scorers.ts';
import { modelOf } from '../stored-model.ts';
import { type ChronospikeSpec, structureFromSpec } from './family.ts';
import { traceScoring } from './programs.ts';
import { createReadingContext, traceReading, writeWeights } from './reading-programs.ts';
import { spikeUseOf } from './spike-use.ts';
import { type ChronospikeStructure, spikingLayers } from './structure.ts';

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

/** Time constants after which an addition to a head's state has decayed to e^-8, a three-thousandth. */
const FORGOTTEN = 8;

/** A stored model that reads `slots` texts at once, each with carried state. */
export async function openStreamScorer(
  backend: Backend,
  { spec, layout, values }: StoredModel<ChronospikeSpec>,
  slots: number,
): Promise<StreamScorer & Opened> {
  const structure = structureFromSpec(spec);
  // One slot more: rows of texts that have ended read into it.
  const context = createReadingContext(layout, structure, { slots: slots + 1, weights: 'float32' });
  const traced = traceReading(context, slots);
  const player = await backend.load(layout, [traced.program]);
  writeWeights(player, context, values);
  return createStreamScorer({
    player,
    traced,
    slots,
    vocabulary: structure.vocabulary,
    memoryTokens: Math.ceil(FORGOTTEN * Math.max(...structure.tau)),
    memory: { parameters: layout.blockBytes, ...memoryOf([traced.program]) },
    countsOf: (totals, units) => countsOf(structure, totals, units),
  });
}

/** A stored model that reads `batch` windows of `sequence` tokens at once. */
async function openWindowScorer(
  backend: Backend,
  { spec, layout, values }: StoredModel<ChronospikeSpec>,
  shape: { readonly batch: number; readonly sequence: number },
): Promise<WindowScorer & Opened> {
  const structure = structureFromSpec(spec);
  const traced = traceScoring(layout, structure, shape);
  const player = await backend.load(layout, [traced.program]);
  player.write(layout.values, values);
  return createWindowScorer({
    player,
    traced,
    ...shape,
    vocabulary: structure.vocabulary,
    memory: { parameters: layout.blockBytes, ...memoryOf([traced.program]) },
    countsOf: (totals, units) => countsOf(structure, totals, units),
  });
}

function countsOf(
  structure: ChronospikeStructure,
  totals: Float64Array,
  units: number,
): SpikeCounts {
  const layers = spikesOfLayers(spikingLayers(structure), totals);
  return { use: spikeUseOf(structure, totals, units), steps: structure.steps, units, layers };
}
