import { type Part, part, words } from '../../graph/sizes.ts';
import { expertMeansSize, type BackbonePass } from './backbone-sizes.ts';

/** How the tokens that come next are scored. */
interface Scored {
  readonly features: number;
  readonly row: number;
  /** Features in the space of codes. */
  readonly query: number;
  readonly logits: number;
}

/**
 * The loss of the next tokens, by all of the vocabulary or by a sample. The features are kept, and on the way
 * back the means of the experts are there.
 */
export function tokenLossSizes(pass: BackbonePass, negatives: number): Part {
  const { structure } = pass;
  const { vocabulary } = structure;
  const isSampled = negatives < vocabulary;
  const scored = scoredBy(pass, isSampled ? 1 + negatives : vocabulary);
  const { kept, there, back } = isSampled
    ? sampledLoss(scored, structure.rank, negatives, pass)
    : fullLoss(scored, pass);
  return part(kept, { there: [there], back: [back + expertMeansSize(structure)] });
}

function scoredBy({ structure, batch, sequence }: BackbonePass, scores: number): Scored {
  const rows = batch * sequence;
  return {
    features: words(rows, structure.width),
    row: words(rows),
    query: words(rows, structure.rank),
    logits: words(rows, scores),
  };
}

/** Tells whether a table of all tokens is less work than the codes of each row, see `tiedVocabulary`. */
function isTableCheaper({ vocabulary, width, rank }: BackbonePass['structure']): boolean {
  return vocabulary * (width - rank) <= width * rank;
}

function sampledLoss(
  { features, row, query, logits }: Scored,
  rank: number,
  negatives: number,
  { batch, sequence }: BackbonePass,
): Part {
  const drawn = words(negatives, rank);
  const scores = words(batch * sequence, negatives);
  const codes = features + query + drawn;
  return part(codes + logits + row, {
    there: [codes + query + words(negatives) + scores + logits, codes + logits + 2 * row],
    back: [
      codes + 2 * logits + row,
      codes + logits + scores + query,
      features + drawn + scores + 2 * query,
      features + query,
    ],
  });
}

function fullLoss({ features, row, query, logits }: Scored, { structure }: BackbonePass): Part {
  const { vocabulary, rank, width } = structure;
  const codes = words(vocabulary, rank);
  if (!isTableCheaper(structure)) {
    const read = features + codes;
    return part(read + logits + row, {
      there: [read + query + logits, read + logits + 2 * row],
      back: [read + 2 * logits + row, read + logits + query, features + query],
    });
  }
  const table = words(vocabulary, width);
  const read = features + codes + table;
  return part(read + logits + row, {
    there: [read + logits + 2 * row],
    back: [read + 2 * logits + row, read + logits + table],
  });
}

/** Scores of the whole vocabulary where nothing is learned; `held` is kept beside the features. */
export function readingLogitsSize(pass: BackbonePass, holdsFeatures: boolean): number {
  const { structure } = pass;
  const { vocabulary, rank, width } = structure;
  const { features, row, query, logits } = scoredBy(pass, vocabulary);
  const codes = words(vocabulary, rank);
  const held = holdsFeatures ? features : 0;
  const loss = held + logits + 2 * row;
  if (!isTableCheaper(structure)) {
    return Math.max(features + codes + query, held + query + codes + logits, loss);
  }
  const table = words(vocabulary, width);
  return Math.max(features + codes + table, features + table + logits, loss);
}
