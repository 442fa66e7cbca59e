import type { CausalEdge } from '../../edge/memory/contract/causal.ts';
import type { StoredMemory } from '../../edge/memory/contract/memory.ts';
import type { MemoryHit } from '../../edge/memory/contract/search.ts';

/** A memory that was stored, and the causes that were read from it. */
export function describeStored({ memory_id, deduplicated, causal_edges }: StoredMemory): string {
  const known = deduplicated ? '  known already' : '';
  const causes = causal_edges.map(
    ({ cause, relation, effect }) => `\n    ${cause} —${relation}→ ${effect}`,
  );
  return `${memory_id}${known}${causes.join('')}`;
}

/** A memory in a line, with its score. */
export function describeHit({ score, valid_at, content, tags }: MemoryHit): string {
  const labels = tags.map((tag) => ` #${tag}`).join('');
  return `${score.toFixed(3)}  ${valid_at}  ${content.replaceAll(/\s+/g, ' ')}${labels}`;
}

/** A cause and its effect in a line, with the words that say so. */
export function describeEdge(edge: CausalEdge): string {
  const contested = edge.contradicted ? '  (contradicted)' : '';
  const head = `${edge.confidence.toFixed(2)}  ${edge.cause} —${edge.relation}→ ${edge.effect}`;
  return `${head}${contested}\n      “${edge.evidence.replaceAll(/\s+/g, ' ')}”`;
}
