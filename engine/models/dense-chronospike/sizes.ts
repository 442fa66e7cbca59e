import {
  adamWSize,
  blockwise,
  blockwiseSizes,
  chain,
  type Memory,
  packed,
  peakOf,
  raw,
  sum,
  words,
} from '../../graph/sizes.ts';
import { isPacked } from '../../kernels/equation-kernels.ts';
import type { NeuronRules } from '../../settings/controls.ts';
import { canClose, type EnergySettings } from './energy.ts';
import { type BatchShape, HISTORY_SLOTS } from '../language/text-programs.ts';
import { ruleParts, rulesFor } from './neuron-rules.ts';
import {
  carriedParts,
  CARRY_GROUPS,
  chronospikeParameters,
  type ChronospikeStructure,
  spikingLayers,
} from './structure.ts';
import { readoutSizes, trunkSizes } from './trunk-sizes.ts';

/** A run to plan. */
interface ChronospikeRun {
  readonly structure: ChronospikeStructure;
  readonly shape: BatchShape;
  readonly rules: NeuronRules;
  readonly energy: EnergySettings;
  readonly carry: boolean;
}

/** A gate that cannot close is not traced. */
const isGated = ({ structure, shape, rules, energy }: ChronospikeRun): boolean =>
  canClose(energy, rules, structure.steps * shape.sequence);

/** Memory of a run by formula: as much as all that `traceRun` traces. */
export function chronospikeMemory(run: ChronospikeRun): Memory {
  const { structure } = run;
  const parameters = blockwiseSizes(
    (blocks) => chronospikeParameters({ ...structure, blocks }),
    structure.blocks,
  );
  const rules = rulesFor(structure, run.rules);
  const isRelaxed = rules.relaxation > 0;
  const ruled = { ...run, rules };
  const steps = [stepSize(ruled, false), ...(isRelaxed ? [stepSize(ruled, true)] : [])];
  return {
    parameters,
    arena: Math.max(...steps, adamWSize(parameters)),
    lasting: sum([trainingLasts(ruled), readingLasts(run), priorSizes(ruled)]),
  };
}

/** Forward through all blocks to the loss, and backward. The direct path has the gradient of the embedding. */
function stepSize(run: ChronospikeRun, relaxed: boolean): number {
  const { structure, shape, carry } = run;
  const rows = shape.batch * shape.sequence;
  const embedded = { steps: 1, beside: words(rows, structure.width), isDirect: true };
  const pass = {
    structure,
    ...shape,
    gated: isGated(run),
    carry: carry && !relaxed,
    relaxed,
  };
  return peakOf(chain(trunkSizes(pass, embedded), readoutSizes(structure, rows)));
}

/** Inputs, histories and constants of the training programs, and what the rules keep. */
function trainingLasts(run: ChronospikeRun): number {
  const { structure, shape, rules, carry } = run;
  const { width, heads } = structure;
  const rows = shape.batch * shape.sequence;
  const isRelaxed = rules.relaxation > 0;
  const inputs = [rows, rows, 4, 5, HISTORY_SLOTS, HISTORY_SLOTS];
  const isShared = carry || isRelaxed;
  const decay = words(heads, shape.sequence);
  // Without rewards the supply of the gates is even, which is a constant.
  const even = rules.energyGating ? words(1) : 0;
  const reward = rules.rewardMode === 'off' ? even : 3 * words(1);
  const importance = isGated(run) ? [width, 3 * width, 4 * width] : [];
  const layers = spikingLayers({ ...structure, blocks: 1 }).map(({ neurons }) => neurons);
  // Spikes before each gate and behind it.
  const counts = isGated(run) ? 2 * structure.blocks * sum(layers.map((count) => raw(count))) : 0;
  const program =
    decay + reward + sum(importance.map((count) => words(count))) + placesOf(structure);
  const chunks = carry ? carriedLasts(structure, shape) : 0;
  return sum([
    ...inputs.map((count) => (isShared ? raw(count) : words(count))),
    ...ruleParts(structure, rules).map((part) => raw(...part.shape)),
    (carry ? CARRY_GROUPS : 1) * (program + chunks),
    carry ? raw(shape.batch) : 0,
    counts,
    isRelaxed ? words(1) + 2 * decay + reward : 0,
  ]);
}

/** The constants that place learned parameters of written neurons in one operand (ops/learned-rows.ts). */
function placesOf({ equations }: ChronospikeStructure): number {
  return equations && isPacked(equations) ? equations.learned.length * words(1) : 0;
}

/** Carried state of one group of rows, and its decay. */
function carriedLasts(structure: ChronospikeStructure, { batch, sequence }: BatchShape): number {
  const state = statesOf(structure, batch, words);
  return words(structure.heads, sequence + 1) + state;
}

/** State carried by sequences; the first block differs from the others. */
function statesOf(structure: ChronospikeStructure, batch: number, bytesOf: typeof words): number {
  const sizeOf = (blocks: number) =>
    sum(carriedParts({ ...structure, blocks }, batch).map(({ shape }) => bytesOf(...shape)));
  return blockwise(sizeOf, structure.blocks);
}

/** Those that validate, write and show neurons. */
function readingLasts({ structure, shape, carry }: ChronospikeRun): number {
  const places = placesOf(structure);
  const { vocabulary, heads, blocks, steps, neuron } = structure;
  const { batch, sequence } = shape;
  const rows = batch * sequence;
  const decay = words(heads, sequence);
  const batchInputs = 2 * words(rows) + words(4) + words(HISTORY_SLOTS) + decay;
  const layers = spikingLayers({ ...structure, blocks: 1 }).map(({ neurons }) => neurons);
  const counts = layers.map((neurons) => words(neurons));
  const shown = layers.map(
    (neurons) =>
      words(steps, sequence, neurons) +
      packed(steps * sequence, neurons) +
      (neuron === 'EvoLIF' ? words(neurons) : 0),
  );
  return sum([
    batchInputs + blocks * sum(counts) + places,
    2 * words(1) + words(heads, 2) + words(vocabulary) + places,
    raw(blocks * layers.length) + statesOf(structure, 1, raw),
    words(sequence) + decay + blocks * sum(shown) + places,
    carry ? batchInputs + words(batch) + carriedLasts(structure, shape) + places : 0,
  ]);
}

/** Inputs of what the tables say of each token: of training, validation and a stream. */
function priorSizes({ structure, shape, rules, carry }: ChronospikeRun): number {
  const { vocabulary, ngramOrder = 0 } = structure;
  if (ngramOrder === 0) return 0;
  const rows = shape.batch * shape.sequence;
  const isShared = carry || rules.relaxation > 0;
  const own = words(rows, vocabulary);
  return (isShared ? raw(rows, vocabulary) : own) + own + (carry ? own : 0);
}
