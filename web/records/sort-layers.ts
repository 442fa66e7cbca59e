/** Sweeps over all layers: more change little. */
const SWEEPS = 4;

/**
 * Sorts the nodes of a layered graph by the barycentre of their neighbours, so that few edges cross.
 *
 * @param edges pairs of the keys of two nodes
 */
export function sortLayers<Node>(
  layers: readonly (readonly Node[])[],
  keyOf: (node: Node) => string,
  edges: readonly (readonly [string, string])[],
): readonly (readonly Node[])[] {
  const neighbours = Map.groupBy(
    edges.flatMap(([from, to]) => [
      { key: from, other: to },
      { key: to, other: from },
    ]),
    ({ key }) => key,
  );
  let sorted = layers;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const rows = new Map(
      sorted.flatMap((layer) =>
        layer.map((node, row) => [keyOf(node), (row + 0.5) / layer.length] as const),
      ),
    );
    const middleOf = (key: string): number => {
      const own = rows.get(key) ?? 0;
      const near = (neighbours.get(key) ?? []).map(({ other }) => rows.get(other) ?? own);
      return near.length === 0 ? own : near.reduce((a, b) => a + b) / near.length;
    };
    sorted = sorted.map((layer) =>
      layer
        .map((node) => ({ node, middle: middleOf(keyOf(node)) }))
        .toSorted((a, b) => a.middle - b.middle)
        .map(({ node }) => node),
    );
  }
  return sorted;
}
