import type { Backend, Player } from '../../graph/backend.ts';
import { EngineError } from '../../errors.ts';
import type { ClassScorer } from '../../evaluation/classifier-evaluator.ts';
import type { Opened } from '../../evaluation/evaluator.ts';
import { memoryOf } from '../../graph/program.ts';
import { clearCounts } from '../../train/spike-statistics.ts';
import { type OperationsPerExample, spikesOfOperations } from './operation-counts.ts';
import { type Classifier, type ScoringProgram, traceScoring } from './classifier.ts';

interface ClassScorerOptions {
  readonly classifier: Classifier<unknown>;
  /** The parameter block. */
  readonly values: Float32Array;
  /** Examples that are read at once, each number once. */
  readonly sizes: readonly number[];
  /** By the number of the class; the numbers themselves by default. */
  readonly labels?: readonly string[];
  /** Operation counts of its neurons; without them spikes are not reported. */
  readonly work?: OperationsPerExample;
}

/** A classifier on a device. */
export interface OpenedClassifier extends ClassScorer, Opened {
  /** Spikes are counted from zero again. */
  clear(): void;
}

/** A trained classifier made ready to be judged, or to answer. */
export async function openClassScorer(
  backend: Backend,
  { classifier, values, sizes, labels, work }: ClassScorerOptions,
): Promise<OpenedClassifier> {
  const { layout, classes, inputs: width, frames = 1 } = classifier;
  const traced = sizes.map((size) => traceScoring(classifier, size));
  const programs = traced.map(({ program }) => program);
  const player = await backend.load(layout, programs);
  player.write(layout.values, values);
  const clear = () =>
    clearCounts(
      player,
      traced.flatMap(({ layers }) => layers),
    );
  clear();
  return {
    labels: labels ?? Array.from({ length: classes }, (_, index) => `${index}`),
    memory: { parameters: layout.blockBytes, ...memoryOf(programs) },
    async read(examples) {
      const { program, inputs, scores } = programFor(traced, examples.length / (frames * width));
      player.write(inputs, examples);
      player.play(program);
      // Counts of spikes are words, membranes are f32.
      return Float32Array.from(await player.read(scores));
    },
    clear,
    ...(work && {
      spikes: async (units) => spikesOfOperations(work, await readCounts(player, traced), units),
    }),
    close: () => player.close(),
  };
}

function programFor(traced: readonly ScoringProgram[], examples: number): ScoringProgram {
  const found = traced.find(({ batch }) => batch === examples);
  if (found) return found;
  const sizes = traced.map(({ batch }) => batch).join(' or ');
  throw new EngineError(
    'shape-mismatch',
    `the classifier is given ${examples} examples: expected ${sizes}`,
  );
}

/** Spikes of each neuron by layer, of all programs together. */
async function readCounts(
  player: Player,
  traced: readonly ScoringProgram[],
): Promise<Uint32Array[]> {
  const [first, ...others] = traced;
  return Promise.all(
    (first?.layers ?? []).map(async ({ counts }, layer) => {
      // Counters are always u32.
      const sum = (await player.read(counts)).slice() as Uint32Array;
      for (const { layers } of others) {
        const more = layers[layer] && (await player.read(layers[layer].counts));
        for (const [neuron, count] of (more ?? []).entries())
          sum[neuron] = (sum[neuron] ?? 0) + count;
      }
      return sum;
    }),
  );
}
