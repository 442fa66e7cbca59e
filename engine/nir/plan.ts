import { EngineError } from '../errors.ts';
import { type FlatGraph, flattenGraph } from './flat-graph.ts';
import type { NirEdge, NirGraph, NirPrimitive } from './graph.ts';
import { type Discretisation, type Neuron, type NeuronStage, stagesOf } from './neurons.ts';
import { scheduleOf } from './schedule.ts';
import { inferShapes, type NodeShapes, sizeOf, spread } from './shapes.ts';

/** A node as it is played. */
export interface PlannedNode extends NodeShapes {
  readonly name: string;
  readonly node: NirPrimitive;
  readonly isInner: boolean;
  readonly from: readonly NirEdge[];
  /** What integrate_fire is to play, for neurons, scales and thresholds. */
  readonly stages: readonly NeuronStage[];
  /** Steps by which a Delay holds back each of its features, less one where its inputs are late. */
  readonly delays: Uint32Array | undefined;
}

export interface NirPlan {
  /** In the order in which a step goes through them. */
  readonly nodes: readonly PlannedNode[];
  /** Edges that carry what their source gave in the step before. */
  readonly late: ReadonlySet<NirEdge>;
}

/** Delays longer than this many steps are a slip of the finger. */
const LONGEST_DELAY = 1 << 16;

/**
 * Looks through a graph and plans how to play it: shapes, order, and steps instead of time. Throws
 * EngineError `invalid-structure` or `shape-mismatch` naming the node, what it has and what was expected.
 */
export function planNir(graph: NirGraph, discretisation: Discretisation): NirPlan {
  const { dt } = discretisation;
  if (!(dt > 0 && dt < Number.POSITIVE_INFINITY)) {
    throw new EngineError('invalid-setting', `NIR: dt is ${dt}: expected a positive number`);
  }
  const flat = flattenGraph(graph);
  for (const { name, node } of flat.nodes.values()) checkNumbers(name, node);
  const shapes = inferShapes(flat);
  const { order, late } = scheduleOf(flat, dt);
  const entering = Map.groupBy(flat.edges, ([, target]) => target);
  const nodes = order.map((name) =>
    planNode(flat, name, { shapes, from: entering.get(name) ?? [], late, discretisation }),
  );
  return { nodes, late };
}

interface Around {
  readonly shapes: ReadonlyMap<string, NodeShapes>;
  readonly from: readonly NirEdge[];
  readonly late: ReadonlySet<NirEdge>;
  readonly discretisation: Discretisation;
}

function planNode(flat: FlatGraph, name: string, around: Around): PlannedNode {
  const found = flat.nodes.get(name);
  const shapes = around.shapes.get(name);
  if (!found || !shapes)
    throw new EngineError('invalid-structure', `NIR: there is no node ${name}`);
  const { from, discretisation } = around;
  const { node } = found;
  const isLate = from.every((edge) => around.late.has(edge));
  return {
    ...found,
    ...shapes,
    from,
    stages: isNeuron(node) ? stagesOf(name, node, shapes.input, discretisation) : [],
    delays:
      node.type === 'Delay'
        ? delaysOf(`${name} (Delay)`, spread(`${name} (Delay)`, node.delay, shapes.input), {
            dt: discretisation.dt,
            isLate,
          })
        : undefined,
  };
}

const NEURONS = new Set(['Scale', 'Threshold', 'I', 'IF', 'LI', 'LIF', 'CubaLI', 'CubaLIF']);

function isNeuron(node: NirPrimitive): node is Neuron {
  return NEURONS.has(node.type);
}

/** Delays in steps; of inputs that are late already, one step less, but not less than none. */
function delaysOf(
  where: string,
  delays: Float64Array,
  { dt, isLate }: { dt: number; isLate: boolean },
): Uint32Array {
  return Uint32Array.from(delays, (delay) => {
    const steps = Math.round(delay / dt);
    if (steps >= 0 && steps <= LONGEST_DELAY) return Math.max(0, steps - Number(isLate));
    throw new EngineError(
      'invalid-structure',
      `NIR: ${where}: the delay is ${delay}, ${steps} steps of ${dt}: expected 0 to ${LONGEST_DELAY}`,
    );
  });
}

/** Every number of a network is finite, and every tensor holds what its shape says. */
function checkNumbers(name: string, node: NirPrimitive): void {
  for (const [field, value] of Object.entries(node)) {
    if (field === 'metadata' || typeof value !== 'object' || !('data' in value)) continue;
    const { shape, data } = value;
    const where = `NIR: ${name} (${node.type}): ${field}`;
    if (data.length !== sizeOf(shape) || data.length === 0) {
      throw new EngineError(
        'shape-mismatch',
        `${where} of shape [${shape.join(', ')}] has ${data.length} numbers`,
      );
    }
    const odd = data.findIndex((number: number) => !Number.isFinite(number));
    if (odd < 0) continue;
    throw new EngineError(
      'invalid-structure',
      `${where} is ${data[odd]} at ${odd}: expected finite numbers`,
    );
  }
}
