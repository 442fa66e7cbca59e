import {
  adamWSize,
  blockwiseSizes,
  chain,
  type Memory,
  peakOf,
  sum,
  words,
} from '../../graph/sizes.ts';
import {
  backboneLasts,
  type BackbonePass,
  backboneSizes,
  embeddingPart,
  expertMeansSize,
  fixedPartSize,
  readingBlockSize,
  tokenLasts,
} from './backbone-sizes.ts';
import { HISTORY_SLOTS } from '../language/text-programs.ts';
import { sparseParameters, type SparseSettings } from './structure.ts';
import { readingLogitsSize, tokenLossSizes } from './vocabulary-sizes.ts';

/** Memory of a run by formula: as much as all that `traceSparseRun` traces. */
export function sparseMemory({ structure, learning, shape }: SparseSettings): Memory {
  const { vocabulary } = structure;
  const pass = { structure, ...shape, drops: learning.dropout > 0 };
  // With tables, every token is scored.
  const hasTables = (structure.ngramOrder ?? 0) > 0;
  const negatives = hasTables ? vocabulary : learning.negatives;
  const prior = hasTables ? words(shape.batch * shape.sequence, vocabulary) : 0;
  const parameters = blockwiseSizes(
    (blocks) => sparseParameters({ ...structure, blocks }),
    structure.blocks,
  );
  const step = chain(embeddingPart(pass), backboneSizes(pass), tokenLossSizes(pass, negatives));
  const reading = [
    readingBlockSize(pass),
    readingLogitsSize(pass, false),
    embeddingPart(pass).there,
  ];
  return {
    parameters,
    arena: Math.max(peakOf(step), ...reading, adamWSize(parameters) + expertMeansSize(structure)),
    lasting: sum([
      learningLasts(pass, negatives) + 2 * prior,
      batchLasts(pass) + words(vocabulary) + backboneLasts(pass, false),
      words(1) + words(vocabulary) + words(vocabulary) + tokenLasts(structure),
      fixedPartSize(structure),
    ]),
  };
}

/** Inputs and constants of the program that learns. */
function learningLasts(pass: BackbonePass, negatives: number): number {
  const { structure, batch, sequence } = pass;
  const { vocabulary } = structure;
  const rows = batch * sequence;
  const isSampled = negatives < vocabulary;
  return sum([
    batchLasts(pass) + words(5) + words(HISTORY_SLOTS),
    backboneLasts(pass, true),
    isSampled ? words(rows) : 0,
    isSampled && vocabulary >= rows ? 0 : words(vocabulary),
  ]);
}

/** Tokens, those that follow, the clock and the history. */
function batchLasts({ batch, sequence }: BackbonePass): number {
  return 2 * words(batch * sequence) + words(4) + words(HISTORY_SLOTS);
}
