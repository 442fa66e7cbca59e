import {
  adamWSize,
  beside,
  blockwiseSizes,
  chain,
  type Memory,
  type Part,
  part,
  peakOf,
  raw,
  repeated,
  sum,
  words,
} from '../../graph/sizes.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { PREFILL_ROWS } from './reading-programs.ts';
import { HISTORY_SLOTS } from '../language/text-programs.ts';
import { transformerParameters, type TransformerStructure } from './structure.ts';

/** Memory of a run by formula: as much as all that `traceTransformerRun` traces. */
export function transformerMemory(structure: TransformerStructure, batch: number): Memory {
  const { vocabulary, width, blocks, sequence, ngramOrder = 0 } = structure;
  const parameters = blockwiseSizes(
    (count) => transformerParameters({ ...structure, blocks: count }),
    blocks,
  );
  const tokens = words(batch * sequence);
  const inputs = 2 * tokens + words(4) + words(HISTORY_SLOTS);
  const reading = [1, PREFILL_ROWS].map((rows) => 3 * words(rows) + words(rows * vocabulary));
  return {
    parameters,
    arena: Math.max(
      stepSize(structure, batch),
      readingSize(structure, PREFILL_ROWS),
      adamWSize(parameters),
    ),
    lasting: sum([
      2 * inputs + words(5) + words(HISTORY_SLOTS),
      // Places of two sequences.
      ...reading,
      blocks * raw(2 * sequence, 2 * width),
      // Of training and of validation.
      ngramOrder > 0 ? 2 * words(batch * sequence, vocabulary) : 0,
    ]),
  };
}

/** Forward through all blocks to the loss, and backward beside the gradient of the stream. */
function stepSize(structure: TransformerStructure, batch: number): number {
  const { width, vocabulary, blocks, heads, sequence } = structure;
  const rows = batch * sequence;
  const numbers = (columns: number) => words(rows, columns);
  const stream = numbers(width);
  const norm = part(stream + words(rows, 2), {
    back: [2 * stream + words(rows, 2) + 2 * partialSumsSize(rows, width)],
  });
  const weights = words(batch, heads, sequence, sequence);
  const attended = numbers(3 * width) + weights;
  const attention = part(attended, { back: [2 * attended + stream] });
  const gelu = part(numbers(4 * width), { back: [3 * numbers(4 * width)] });
  const block = chain(
    norm,
    product(rows, width, 3 * width),
    attention,
    part(stream, { back: [2 * stream] }),
    norm,
    product(rows, width, 4 * width, true),
    gelu,
    part(numbers(4 * width), { back: [2 * numbers(4 * width) + partialSumsSize(rows, width)] }),
  );
  const logits = numbers(vocabulary);
  const readout = product(rows, width, vocabulary, true);
  const loss = part(logits, {
    there: [logits + 2 * words(rows)],
    back: [2 * logits + words(rows)],
  });
  return peakOf(chain(repeated(blocks, beside(stream, block)), norm, readout, loss));
}

/** A product keeps its input, in whose place the gradient of it comes. */
function product(rows: number, inputs: number, outputs: number, bias = false): Part {
  const [input, given] = [words(rows, inputs), words(rows, outputs)];
  const sums = bias ? partialSumsSize(rows, outputs) : 0;
  return part(input, { back: [input + given + sums] });
}

/** Reading tokens into the cache, without a backward pass. */
function readingSize({ width, vocabulary }: TransformerStructure, rows: number): number {
  return Math.max(
    words(rows, width) + 2 * words(rows, 4 * width),
    words(rows, width) + words(rows, vocabulary),
  );
}
