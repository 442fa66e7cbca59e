/**
 * What the edge asks of the engine before a job is taken: whether its settings are good, and how much
 * memory it will need. No kernels and no backends; a Worker that imports this stays small.
 */
import { planTraining, type TrainingPlan } from './train/plan-training.ts';
import type { TrainingControls, TrainingSettings } from './train/settings.ts';

export { EngineError } from './errors.ts';
export type { MemoryBreakdown, TrainingPlan } from './train/plan-training.ts';
export { stableBaseline, type TrainingControls, type TrainingSettings } from './train/settings.ts';
export { planTraining };

/** Tracing and planning take time that grows with the square of the blocks: 5 s for 256 of them. */
const TRACED_BLOCKS = 16;
const FEWER_BLOCKS = 8;
/** Tracing writes down a decay for each head and token: 16 MB of them, and not the 64 MB there may be. */
const MOST_DECAYS = 2 ** 22;

/**
 * As `planTraining`, but quick for whatever is asked: each further block of a deep model needs the
 * same again, so two shallower plans tell what the deep one needs, to the byte. Of sequences beyond
 * MOST_DECAYS the answer is a lower bound, which is hundreds of GiB already.
 */
export function estimateTraining(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
): TrainingPlan {
  const { blocks, heads } = settings;
  const sequence = Math.min(settings.sequence, Math.floor(MOST_DECAYS / heads));
  const planOf = (count: number) =>
    planTraining({ ...settings, sequence, blocks: count }, controls, vocabulary);
  if (blocks <= TRACED_BLOCKS) return planOf(blocks);
  const [fewer, traced] = [planOf(FEWER_BLOCKS), planOf(TRACED_BLOCKS)];
  const grow = (from: number, to: number) =>
    to + ((to - from) / (TRACED_BLOCKS - FEWER_BLOCKS)) * (blocks - TRACED_BLOCKS);
  const [a, b] = [fewer.breakdown, traced.breakdown];
  return {
    parameters: grow(fewer.parameters, traced.parameters),
    memoryBytes: grow(fewer.memoryBytes, traced.memoryBytes),
    breakdown: {
      parameters: grow(a.parameters, b.parameters),
      gradients: grow(a.gradients, b.gradients),
      optimiser: grow(a.optimiser, b.optimiser),
      arena: grow(a.arena, b.arena),
    },
  };
}
