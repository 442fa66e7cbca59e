/**
 * What the edge asks of the engine before a job is taken: whether its settings are good, what is chosen
 * where they are left out, whether a base model agrees, and how much memory it will need. No kernels and no backends; a Worker that imports this stays small.
 */
import type { DataShape } from './families/family.ts';
import { familyPlans } from './families/plans.ts';
import type { TrainingPlan } from './train/plan-training.ts';
import type { RunSettings } from './train/run-settings.ts';
import { stableBaseline } from './train/settings.ts';

export { EngineError } from './errors.ts';
export { readTokenizer } from './checkpoint/tokenizer-bundle.ts';
export { memorySource } from './data/zip-files.ts';
export { vocabularyGap } from './data/vocabulary-gap.ts';
export type { Architecture } from './families/architectures.ts';
export { structureDifferences, type SpecRecord } from './families/base-structure.ts';
export { type Choices, chooseLeftOut, chooseSettings, withChoices } from './families/choices.ts';
export type { Fields } from './families/fields.ts';
export type { MemoryBreakdown, TrainingPlan } from './train/plan-training.ts';
export type { Budget, RunSettings } from './train/run-settings.ts';

/** Tracing and planning take time that grows with the square of the blocks: 5 s for 256 of them. */
const TRACED_BLOCKS = 16;
const FEWER_BLOCKS = 8;
/** Tracing writes down a decay for each head and token: 16 MB of them, and not the 64 MB there may be. */
const MOST_DECAYS = 2 ** 22;

/**
 * What a run of any family will need, over data of a shape, or of the shape that the family assumes. Quick
 * for whatever is asked: each further block of a deep model needs the same again, so two shallower plans
 * tell what the deep one needs, to the byte. Of sequences beyond MOST_DECAYS the answer is a lower bound,
 * which is hundreds of GiB already. Throws EngineError `invalid-setting`, `invalid-structure`.
 */
export function estimateTraining(settings: RunSettings, shape?: DataShape): TrainingPlan {
  const family = familyPlans[settings.architecture];
  family.check(settings);
  const { num_blocks: blocks } = settings.fields;
  const planOf = (changes: RunSettings['fields']) => {
    const fields = { ...settings.fields, ...changes };
    return family.plan({ ...settings, fields }, stableBaseline, shape ?? assumedShape(settings));
  };
  const bounded = boundedSequence(settings.fields);
  if (typeof blocks !== 'number' || blocks <= TRACED_BLOCKS) return planOf(bounded);
  const fewer = planOf({ ...bounded, num_blocks: FEWER_BLOCKS });
  const traced = planOf({ ...bounded, num_blocks: TRACED_BLOCKS });
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

/** What the family assumes of its data; tokens of BPE are as many as the settings ask for. */
function assumedShape({ architecture, fields }: RunSettings): DataShape {
  const { tokenizer, vocab_size: vocabulary } = fields;
  const isKnown = tokenizer === 'bpe' && typeof vocabulary === 'number';
  return { ...familyPlans[architecture].assumedShape, ...(isKnown && { vocabulary }) };
}

function boundedSequence({ n_heads: heads, seq_len: sequence }: RunSettings['fields']) {
  if (typeof heads !== 'number' || typeof sequence !== 'number') return {};
  return { seq_len: Math.min(sequence, Math.floor(MOST_DECAYS / heads)) };
}
