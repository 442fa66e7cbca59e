import { beside, chain, packed, type Part, part, repeated, sum, words } from '../../graph/sizes.ts';
import { isPacked } from '../../kernels/equation-kernels.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { type ChronospikeStructure, isLif } from './structure.ts';

/** How a trunk is trained, as far as it changes what is kept. */
interface TrunkPass {
  readonly structure: ChronospikeStructure;
  readonly batch: number;
  /** Tokens of a row. */
  readonly sequence: number;
  /** Spikes have to be paid for. */
  readonly gated?: boolean;
  /** Rows continue from chunk to chunk. */
  readonly carry?: boolean;
  /** Spikes lie between 0 and 1. */
  readonly relaxed?: boolean;
}

/** The beginning of the stream of a trunk. */
interface TrunkInput {
  /** Its time steps in front of the blocks. */
  readonly steps: number;
  /** Gradients beside that of the stream, in bytes. */
  readonly beside: number;
  /** True where its gradient ends in one of those, so that the first attention is passed without it. */
  readonly isDirect: boolean;
}

/** Memory of the blocks of a trunk. On the backward pass the gradient of the stream is there. */
export function trunkSizes(pass: TrunkPass, input: TrunkInput): Part {
  const { blocks, steps } = pass.structure;
  const gradients = input.beside + streamSize(pass, steps);
  const { attention, rest } = blockParts(pass, input.steps);
  const below = input.isDirect ? input.beside : gradients;
  const first = chain(beside(below, attention), beside(gradients, rest));
  const others = beside(gradients, blockParts(pass, steps).whole);
  return chain(first, repeated(blocks - 1, others));
}

function streamSize({ structure, batch, sequence }: TrunkPass, steps: number): number {
  return words(steps, batch * sequence, structure.width);
}

/** A block whose input has so many steps: up to the spikes of its attention, and what comes behind. */
function blockParts(pass: TrunkPass, inputSteps: number) {
  const { width, steps } = pass.structure;
  const attention = chain(
    shifted(pass, inputSteps),
    fired(pass, inputSteps, width),
    product(pass, [width, 3 * width]),
    fired(pass, steps, 3 * width),
    attended(pass),
    fired(pass, steps, width),
  );
  const rest = chain(
    added(pass, width),
    shifted(pass, steps),
    fired(pass, steps, width),
    product(pass, [width, 4 * width], true),
    fired(pass, steps, 4 * width),
    added(pass, 4 * width, true),
  );
  return { attention, rest, whole: chain(attention, rest) };
}

/** Layer norm and token shift. The stream is kept for the norm, what is normed for the shift. */
function shifted(pass: TrunkPass, steps: number): Part {
  const { structure, batch, sequence, carry } = pass;
  const rows = steps * batch * sequence;
  const numbers = streamSize(pass, steps);
  const last = carry ? words(steps, batch, structure.width) : 0;
  const kept = 2 * numbers + words(rows, 2) + last;
  return part(kept, { back: [kept + numbers + partialSumsSize(rows, structure.width)] });
}

/** Neurons read their current again on the backward pass, and gates their mask. */
function fired({ structure, ...pass }: TrunkPass, currentSteps: number, width: number): Part {
  const { steps, neuron, equations } = structure;
  const rows = pass.batch * pass.sequence;
  const [current, spikes] = [words(currentSteps, rows, width), words(steps, rows, width)];
  const gates = pass.gated && !pass.relaxed ? packed(steps * rows, width) : 0;
  if (neuron === 'EvoLIF') {
    const kept = current + 2 * words(width);
    return part(kept + gates, { back: [kept + spikes + current + 2 * words(rows, width)] });
  }
  if (equations) {
    const { kept, back } = firedAsWritten(equations, { current, spikes, rows, width });
    return part(kept + gates, { back });
  }
  // LIF writes the gradient of its current over that of its spikes where both have as many steps.
  const isInPlace = isLif(structure) && !pass.relaxed && currentSteps === steps;
  return part(current + gates, { back: [isInPlace ? 0 : 2 * current + spikes] });
}

interface Fired {
  readonly current: number;
  readonly spikes: number;
  readonly rows: number;
  readonly width: number;
}

/** Neurons of equations, beside their gates. */
function firedAsWritten(neuron: WrittenNeuron, { current, spikes, rows, width }: Fired) {
  const { learned } = neuron;
  // Several are rows of one operand, out of whose gradient each is taken (ops/learned-rows.ts).
  const isTogether = isPacked(neuron);
  const own = isTogether
    ? words(learned.length, width)
    : sum(learned.map(({ per, range }) => (range ? words(per === 'neuron' ? width : 1) : 0)));
  const one = isTogether ? words(rows, width) : 0;
  const kept = current + own;
  const byRow = words(learned.length, rows, width);
  // The gradient of the current is written over that of the spikes where both have as many steps.
  const isInPlace = current === spikes;
  const given = isInPlace ? 0 : current;
  return {
    kept,
    back: [kept + spikes + given + byRow, (isInPlace ? spikes : current) + byRow + one],
  };
}

/** Product with spikes: a row of bits each, or numbers where they are soft. */
function product(
  pass: TrunkPass,
  [inputs, outputs]: readonly [number, number],
  bias = false,
  given = words(pass.structure.steps, pass.batch * pass.sequence, outputs),
): Part {
  const rows = pass.structure.steps * pass.batch * pass.sequence;
  const sums = bias ? partialSumsSize(rows, outputs) : 0;
  const back = given + words(rows, inputs) + sums;
  if (pass.relaxed) return part(words(rows, inputs), { back: [words(rows, inputs) + given, back] });
  const kept = packed(rows, inputs);
  return part(kept, { back: [kept + given + packed(inputs, rows), back] });
}

/** A product that is added to the stream, whose gradient is there anyway. */
const added = (pass: TrunkPass, inputs: number, bias = false): Part =>
  product(pass, [inputs, pass.structure.width], bias, 0);

function attended(pass: TrunkPass): Part {
  const { structure, batch, sequence } = pass;
  const { steps, heads, width } = structure;
  const rows = steps * batch * sequence;
  const scores = words(steps, batch, heads, sequence, sequence);
  const kept = pass.relaxed ? words(rows, 3 * width) + scores : packed(rows, 3 * width);
  return part(kept, { back: [kept + words(rows, width) + words(rows, 3 * width) + scores] });
}

/**
 * Both paths to the logits and the loss of `rows` tokens, behind a stream of so many bytes. `direct` is what is
 * kept of the direct path alone.
 */
export function readoutSizes(
  { vocabulary, width, steps }: ChronospikeStructure,
  rows: number,
  { stream = words(steps, rows, width), direct = 0 } = {},
): Part {
  const [features, logits, row] = [words(rows, width), words(rows, vocabulary), words(rows)];
  const kept = direct + 3 * features + row;
  return part(kept, {
    there: [steps > 1 ? stream + features : 0, kept + logits + 2 * row],
    back: [
      kept + 2 * logits + row,
      kept + logits + partialSumsSize(rows, vocabulary),
      kept + partialSumsSize(rows * width, 1),
      4 * features + row,
      2 * features + stream,
    ],
  });
}
