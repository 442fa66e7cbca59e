import {
  isTreeGroup,
  isTextSet,
  type NirFile,
  type NirPlan,
  type PlannedNode,
  planNir,
  type TreeGroup,
} from '../../engine/index.ts';

/** A file in words: its nodes in the order in which a step goes through them. */
export function describeNir(name: string, file: NirFile, dt: number): string {
  const plan = planNir(file.graph, { dt, reset: 'value' });
  const width = Math.max(...plan.nodes.map((node) => node.name.length));
  const nodes = plan.nodes.map(
    (node) =>
      `  ${node.name.padEnd(width)}  ${node.node.type.padEnd(9)} ${shapeOf(node)}` +
      `${node.from.length > 0 ? `  from ${sourcesOf(plan, node)}` : ''}`,
  );
  const notes = metadataOf(file.graph.metadata);
  return [
    `${name}: NIR ${file.version || 'of no version'}, ${plan.nodes.length} nodes, ${parametersOf(plan)} parameters, ` +
      `${plan.late.size > 0 ? 'recurrent' : 'feed-forward'}`,
    ...nodes,
    ...Object.entries(notes).map(([key, value]) => `  metadata ${key}: ${value}`),
  ].join('\n');
}

/** The same for programs. */
export function nirJson(file: NirFile, dt: number): object {
  const plan = planNir(file.graph, { dt, reset: 'value' });
  return {
    version: file.version,
    parameters: parametersOf(plan),
    nodes: plan.nodes.map(({ name, node, input, output, from }) => ({
      name,
      type: node.type,
      input,
      output,
      from: from.map((edge) => ({ node: edge[0], late: plan.late.has(edge) })),
    })),
    metadata: metadataOf(file.graph.metadata),
  };
}

function shapeOf({ input, output }: PlannedNode): string {
  const [from, to] = [input, output].map((shape) => `[${shape.join(', ')}]`);
  return from === to ? `${to}` : `${from} to ${to}`;
}

function sourcesOf({ late }: NirPlan, { from }: PlannedNode): string {
  return from
    .map((edge) => (late.has(edge) ? `${edge[0]} (of the step before)` : edge[0]))
    .join(', ');
}

/** Numbers in the tensors of all nodes. */
function parametersOf({ nodes }: NirPlan): number {
  const tensors = nodes.flatMap(({ node }) =>
    Object.entries(node).flatMap(([field, value]) =>
      field !== 'metadata' && typeof value === 'object' && 'data' in value
        ? [value.data.length]
        : [],
    ),
  );
  return tensors.reduce((sum, length) => sum + length, 0);
}

/** Metadata that a tool left, shortened. */
function metadataOf(metadata: TreeGroup | undefined): Record<string, string> {
  const entries = [...(metadata ?? [])].map(([key, entry]) => {
    if (isTreeGroup(entry)) return [key, `${entry.size} entries`] as const;
    const values = isTextSet(entry) ? entry.texts : Array.from(entry.data as ArrayLike<number>);
    return [key, values.slice(0, 8).join(', ')] as const;
  });
  return Object.fromEntries(entries);
}
