import {
  adamWSize,
  beside,
  blockwiseSizes,
  chain,
  type Memory,
  part,
  peakOf,
  sum,
  words,
} from '../../graph/sizes.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import {
  backboneLasts,
  type BackbonePass,
  backboneSizes,
  expertMeansSize,
  fixedPartSize,
  readingBlockSize,
} from '../sparse-event-memory/backbone-sizes.ts';
import { HISTORY_SLOTS } from '../language/text-programs.ts';
import { readingLogitsSize, tokenLossSizes } from '../sparse-event-memory/vocabulary-sizes.ts';
import {
  backboneOf,
  memoriedParameters,
  type MemoriedSettings,
  streamTokens,
} from './structure.ts';

/** Memory of a run by formula: as much as all that `traceMemoriedRun` traces. */
export function memoriedMemory({ structure, learning }: MemoriedSettings, batch: number): Memory {
  const backbone = backboneOf(structure);
  const sequence = streamTokens(structure);
  const pass = { structure: backbone, batch, sequence, drops: learning.dropout > 0 };
  const parameters = blockwiseSizes(
    (blocks) => memoriedParameters({ ...structure, blocks }),
    structure.blocks,
  );
  const rows = batch * sequence;
  const { classes } = structure;
  const isSampled = learning.negatives < backbone.vocabulary;
  const inputs = 5 * words(rows) + words(4);
  return {
    parameters,
    arena: Math.max(
      stepSize(pass, learning.negatives, classes),
      words(rows, backbone.rank) + 2 * words(rows, backbone.width),
      readingBlockSize(pass),
      readingLogitsSize(pass, true),
      adamWSize(parameters) + expertMeansSize(backbone),
    ),
    lasting: sum([
      inputs + words(rows) + words(5) + 3 * words(HISTORY_SLOTS),
      backboneLasts(pass, true),
      isSampled ? words(rows) : words(backbone.vocabulary),
      inputs + words(1) + words(backbone.vocabulary) + words(rows) + words(rows, classes),
      backboneLasts(pass, false),
      fixedPartSize(backbone),
    ]),
  };
}

/** Streams through the backbone to both heads, and back: the pooled head first, whose gradient then waits. */
function stepSize(pass: BackbonePass, negatives: number, classes: number): number {
  const { structure, batch, sequence } = pass;
  const rows = batch * sequence;
  const stream = words(rows, structure.width);
  const codes = words(rows, structure.rank);
  const [scores, row] = [words(rows, classes), words(rows)];
  // The losses of the tokens wait for those of the classes, to be added up.
  const pooled = part(0, {
    there: [2 * scores + 2 * row + words(batch, classes + 1), scores + 4 * row],
    back: [
      scores + 5 * row,
      2 * scores + 2 * row,
      scores + stream + partialSumsSize(rows, classes),
    ],
  });
  return peakOf(
    chain(
      part(codes, { there: [codes + 2 * stream] }),
      backboneSizes(pass),
      beside(stream, tokenLossSizes(pass, negatives)),
      beside(expertMeansSize(structure), pooled),
    ),
  );
}
