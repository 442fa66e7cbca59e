import {
  adamWSize,
  blockwiseSizes,
  chain,
  type Memory,
  packed,
  type Part,
  part,
  peakOf,
  sum,
  words,
} from '../../graph/sizes.ts';
import { type Prefix, prefixesOf, prefixTokens } from '../captioning/prefix.ts';
import { HISTORY_SLOTS } from '../language/text-programs.ts';
import { spikingLayers } from '../dense-chronospike/structure.ts';
import { readoutSizes, trunkSizes } from '../dense-chronospike/trunk-sizes.ts';
import { multimodalParameters, type MultimodalStructure } from './structure.ts';

/** Memory of a run by formula: as much as all that `traceCaptionRun` traces. */
export function multimodalMemory(structure: MultimodalStructure, batch: number): Memory {
  const { trunk, sequence } = structure;
  const { heads, width, blocks } = trunk;
  const parameters = blockwiseSizes(
    (count) => multimodalParameters({ ...structure, trunk: { ...trunk, blocks: count } }),
    blocks,
  );
  const prefixes = prefixesOf(structure);
  const token = words(batch * sequence);
  const inputs = sum([
    ...prefixes.map(({ tokens, features }) => words(batch * tokens, features)),
    3 * token,
    words(4) + words(HISTORY_SLOTS) + words(heads, prefixTokens(prefixes) + sequence),
  ]);
  const counts = spikingLayers({ ...trunk, blocks: 1 }).map(({ neurons }) => words(neurons));
  return {
    parameters,
    arena: Math.max(stepSize(structure, batch), adamWSize(parameters)),
    lasting: sum([
      2 * priorSize(structure, batch),
      inputs + words(5) + words(HISTORY_SLOTS),
      inputs + token + prefixes.length * words(width) + blocks * sum(counts),
    ]),
  };
}

/** Log-probabilities of tables, an input of a program. */
function priorSize({ trunk, sequence }: MultimodalStructure, batch: number): number {
  return (trunk.ngramOrder ?? 0) > 0 ? words(batch * sequence, trunk.vocabulary) : 0;
}

/** Prefixes and caption through the trunk to the loss, and back. */
function stepSize(structure: MultimodalStructure, batch: number): number {
  const { trunk } = structure;
  const { steps, width } = trunk;
  const prefixes = prefixesOf(structure);
  const rows = batch * structure.sequence;
  const all = prefixTokens(prefixes) + structure.sequence;
  const [features, sliced] = [words(rows, width), words(steps, rows, width)];
  const stream = words(steps, batch * all, width);
  const pass = { structure: trunk, batch, sequence: all };
  return peakOf(
    chain(
      ...prefixes.map((prefix) => prefixPart(trunk, prefix, batch)),
      // The gradient of the embedding waits for that of the stream.
      trunkSizes(pass, { steps, beside: features, isDirect: false }),
      part(0, { there: [features + stream + sliced], back: [features + stream + sliced] }),
      readoutSizes(trunk, rows, { stream: sliced, direct: features }),
    ),
  );
}

/** Neurons keep their current, and the product behind them their spikes; frames are normalised before. */
function prefixPart(
  { steps, width }: MultimodalStructure['trunk'],
  { modality, tokens, features }: Prefix,
  batch: number,
): Part {
  const rows = batch * tokens;
  const normed = modality === 'audio' ? words(rows, features) + words(rows, 2) : 0;
  return part(words(rows, width) + packed(steps * rows, width) + normed);
}
