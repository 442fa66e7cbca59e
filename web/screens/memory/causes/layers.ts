import { sortLayers } from '../../../records/sort-layers.ts';
import type { CausalLink, CausalNode } from '../../../../edge/memory/contract/causal.ts';

type Arrows = ReadonlyMap<string, readonly string[]>;

/**
 * The nodes of a part in layers, causes before effects. Edges that close a cycle do not count, nor do
 * those without a direction.
 */
export function layersOf(
  part: readonly CausalNode[],
  links: readonly CausalLink[],
): readonly (readonly CausalNode[])[] {
  const within = new Map(part.map((node) => [node.key, node]));
  const own = links.filter(({ from, to }) => within.has(from) && within.has(to));
  const depth = depthsOf([...within.keys()], own);
  const layers = [...Map.groupBy(part, ({ key }) => depth.get(key) ?? 0)]
    .toSorted(([a], [b]) => a - b)
    .map(([, layer]) => layer);
  return sortLayers(
    layers,
    ({ key }) => key,
    own.map(({ from, to }) => [from, to]),
  );
}

/** The depth of each node: the length of its longest chain of causes. */
function depthsOf(keys: readonly string[], links: readonly CausalLink[]): Map<string, number> {
  const effects = arrowsOf(links.filter(({ relation }) => relation !== 'correlates'));
  const { order, forward } = withoutCycles(startsFirst(keys, effects), effects);
  const depth = new Map(keys.map((key) => [key, 0]));
  for (const key of order) {
    for (const effect of forward.get(key) ?? []) {
      depth.set(effect, Math.max(depth.get(effect) ?? 0, (depth.get(key) ?? 0) + 1));
    }
  }
  drawNear(order, forward, depth);
  return depth;
}

const arrowsOf = (links: readonly CausalLink[]): Arrows =>
  new Map(
    [...Map.groupBy(links, ({ from }) => from)].map(([from, own]) => [
      from,
      [...new Set(own.map(({ to }) => to))].toSorted(),
    ]),
  );

/** Nodes without causes come first: from there, cycles have the fewest backward edges. */
function startsFirst(keys: readonly string[], effects: Arrows): readonly string[] {
  const caused = new Set([...effects.values()].flat());
  return keys.toSorted((a, b) => Number(caused.has(a)) - Number(caused.has(b)) || (a < b ? -1 : 1));
}

/** A topological order, and the forward edges that agree with it. */
function withoutCycles(
  keys: readonly string[],
  effects: Arrows,
): { readonly order: readonly string[]; readonly forward: Arrows } {
  const finished: string[] = [];
  const seen = new Set<string>();
  const open = new Set<string>();
  const forward = new Map<string, string[]>();
  // Iterative: a chain may be longer than the call stack.
  for (const start of keys) {
    const trail = seen.has(start) ? [] : [{ key: start, next: 0 }];
    for (let at = trail.at(-1); at; at = trail.at(-1)) {
      seen.add(at.key);
      open.add(at.key);
      const effect = effects.get(at.key)?.[at.next++];
      if (effect === undefined) {
        open.delete(at.key);
        finished.push(at.key);
        trail.pop();
      } else if (!open.has(effect)) {
        forward.set(at.key, [...(forward.get(at.key) ?? []), effect]);
        if (!seen.has(effect)) trail.push({ key: effect, next: 0 });
      }
    }
  }
  return { order: finished.toReversed(), forward };
}

/** Moves the start of a chain next to its first effect. */
function drawNear(order: readonly string[], forward: Arrows, depth: Map<string, number>): void {
  const caused = new Set([...forward.values()].flat());
  for (const key of order) {
    const effects = forward.get(key) ?? [];
    if (caused.has(key) || effects.length === 0) continue;
    depth.set(key, Math.min(...effects.map((effect) => depth.get(effect) ?? 0)) - 1);
  }
}
