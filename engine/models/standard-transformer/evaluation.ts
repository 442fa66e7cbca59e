import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { Opened, OpenEvaluation } from '../../evaluation/evaluator.ts';
import type { SpikeCounts } from '../../evaluation/sections.ts';
import type { SpikeUse } from '../../evaluation/spike-use.ts';
import { openTextEvaluation } from '../../evaluation/text-evaluation.ts';
import type { StreamScorer, WindowScorer } from '../../evaluation/text-evaluator.ts';
import { memoryOf } from '../../graph/program.ts';
import { createWindowScorer } from '../language/text-scorers.ts';
import { modelOf } from '../stored-model.ts';
import { transformerFromSpec, type TransformerSpec } from './family.ts';
import { traceTransformerScoring } from './programs.ts';
import {
  createCachedReader,
  createKeyValueCache,
  PREFILL_ROWS,
  traceTransformerReading,
} from './reading-programs.ts';
import { floatUse, macsOfText } from './structure.ts';

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

/** A stored model that reads `slots` texts at once, each with a cache of its last window. */
async function openTransformerStream(
  backend: Backend,
  { spec, layout, values }: StoredModel<TransformerSpec>,
  slots: number,
): Promise<StreamScorer & Opened> {
  const structure = transformerFromSpec(spec);
  const { vocabulary, sequence } = structure;
  const cache = createKeyValueCache(structure, slots + 1);
  const sizes = [...new Set([slots, Math.max(slots, PREFILL_ROWS)])];
  const programs = sizes.map((rows) => traceTransformerReading(layout, structure, cache, rows));
  const loaded = programs.map(({ program }) => program);
  const player = await backend.load(layout, loaded);
  player.write(layout.values, values);
  const reader = createCachedReader(player, { structure, slots, programs });
  /** Tokens that each slot has read of its text, and products of the texts before. */
  const lengths = new Float64Array(slots);
  let macsBefore = 0;
  return {
    slots,
    vocabulary,
    // A window looks no further back.
    memoryTokens: sequence,
    memory: { parameters: layout.blockBytes, ...memoryOf(loaded) },
    clear(slot) {
      macsBefore += macsOfText(structure, lengths[slot] ?? 0);
      lengths[slot] = 0;
      reader.clear(slot);
    },
    async read(reads) {
      const { logits } = reader.read(reads);
      for (const { slot } of reads) lengths[slot] = (lengths[slot] ?? 0) + 1;
      // Logits are always read as f32.
      return ((await player.read(logits)) as Float32Array).subarray(0, reads.length * vocabulary);
    },
    spikes: async (units) =>
      floatCounts(
        floatUse(lengths.reduce((sum, tokens) => sum + macsOfText(structure, tokens), macsBefore)),
        units,
      ),
    close: () => player.close(),
  };
}

/** A stored model that reads `batch` windows at once. */
async function openTransformerWindows(
  backend: Backend,
  { spec, layout, values }: StoredModel<TransformerSpec>,
  batch: number,
): Promise<WindowScorer & Opened> {
  const structure = transformerFromSpec(spec);
  const { vocabulary, sequence } = structure;
  const traced = traceTransformerScoring(layout, structure, batch);
  const player = await backend.load(layout, [traced.program]);
  player.write(layout.values, values);
  return createWindowScorer({
    player,
    traced,
    batch,
    sequence,
    vocabulary,
    memory: { parameters: layout.blockBytes, ...memoryOf([traced.program]) },
    countsOf: (_totals, units) =>
      floatCounts(floatUse((units / sequence) * macsOfText(structure, sequence)), units),
  });
}

/** No neuron fires: there are products alone. */
function floatCounts(use: SpikeUse, units: number): SpikeCounts {
  return { use, steps: 1, units, layers: [] };
}
