import { EngineError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { type FlatGraph, type FlatNode, flattenGraph } from './flat-graph.ts';
import type { NirEdge, NirGraph, NirPrimitive } from './graph.ts';
import { type Discretisation, type Neuron, type NeuronStage, stagesOf } from './neurons.ts';
import { inferShapes, type NodeShapes, sizeOf, spread } from './shapes.ts';

/** A node as it is played. */
export interface PlannedNode extends NodeShapes {
  readonly name: string;
  readonly node: NirPrimitive;
  readonly isInner: boolean;
  readonly from: readonly NirEdge[];
  /** Stages of the integrate_fire kernel, for neurons, scales and thresholds. */
  readonly stages: readonly NeuronStage[];
  /** Steps by which a Delay holds back each of its features, less one where its inputs are late. */
  readonly delays: Uint32Array | undefined;
}

/** The order in which the nodes of a graph run. */
export interface NirPlan {
  /** In the order in which a step goes through them. */
  readonly nodes: readonly PlannedNode[];
  /** Edges that carry the output of the previous step. */
  readonly late: ReadonlySet<NirEdge>;
}

/** A longer delay indicates a wrong unit of time. */
const MAX_DELAY_STEPS = 1 << 16;

/**
 * Validates a graph and plans its execution: shapes, order, and discrete time. Throws EngineError `invalid-
 * structure` or `shape-mismatch` naming the node, its value and what was expected.
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
  const entering = groupBy(flat.edges, ([, target]) => target);
  const nodes = order.map((name) =>
    planNode(flat, name, { shapes, from: entering.get(name) ?? [], late, discretisation }),
  );
  return { nodes, late };
}

interface PlanContext {
  readonly shapes: ReadonlyMap<string, NodeShapes>;
  readonly from: readonly NirEdge[];
  readonly late: ReadonlySet<NirEdge>;
  readonly discretisation: Discretisation;
}

function planNode(flat: FlatGraph, name: string, context: PlanContext): PlannedNode {
  const found = flat.nodes.get(name);
  const shapes = context.shapes.get(name);
  if (!found || !shapes)
    throw new EngineError('invalid-structure', `NIR: there is no node ${name}`);
  const { from, discretisation } = context;
  const { node } = found;
  const isLate = from.every((edge) => context.late.has(edge));
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

/** Nodes with a membrane. */
const STATEFUL = ['I', 'IF', 'LI', 'LIF', 'CubaLI', 'CubaLIF'];
const NEURONS = new Set(['Scale', 'Threshold', ...STATEFUL]);

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
    if (steps >= 0 && steps <= MAX_DELAY_STEPS) return Math.max(0, steps - Number(isLate));
    throw new EngineError(
      'invalid-structure',
      `NIR: ${where}: the delay is ${delay}, ${steps} steps of ${dt}: expected 0 to ${MAX_DELAY_STEPS}`,
    );
  });
}

/** Checks that every number is finite, and that every tensor has the size of its shape. */
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

/** The order of nodes within a time step, and the signals taken from the previous step. */
interface Schedule {
  readonly order: readonly string[];
  /** Edges that close a loop: they carry the output of the previous step. */
  readonly late: ReadonlySet<NirEdge>;
}

/**
 * Orders the nodes. A Delay within a loop takes its inputs from the previous step, as its own delay is
 * shortened by that step; remaining loops are closed by their back edge, walking from the Inputs along the
 * edges in the order of the file. Throws EngineError `invalid-structure` naming the nodes of a loop without
 * a state.
 */
function scheduleOf({ nodes, edges }: FlatGraph, dt: number): Schedule {
  // By name: HDF5 does not preserve the order of nodes.
  const names = [...nodes.keys()].toSorted();
  const hasState = (name: string) => stateOf(nodes.get(name), dt);
  const stateless = edges.filter((edge) => !edge.some(hasState));
  const algebraic = walk(names, stateless);
  if (algebraic.loop) {
    throw new EngineError(
      'invalid-structure',
      `NIR: the loop ${algebraic.loop.join(' > ')} has no neuron and no Delay of a step or more: expected one with a state`,
    );
  }
  const isInLoop = (edge: NirEdge) => reaches(edges, edge[1], edge[0]);
  const delays = edges.filter(([, target]) => isDelay(nodes.get(target)) && hasState(target));
  const looped = new Set(delays.filter(isInLoop).map(([, target]) => target));
  // All inputs of a Delay come from the same step.
  const late = new Set(delays.filter(([, target]) => looped.has(target)));
  const starts = names.filter((name) => nodes.get(name)?.node.type === 'Input');
  const walked = walk(
    [...starts, ...names],
    edges.filter((edge) => !late.has(edge)),
  );
  for (const edge of walked.closing) late.add(edge);
  return { order: walked.order, late };
}

/** Whether a loop through this node is a recurrence; a loop without such a node is an equation. */
function stateOf(found: FlatNode | undefined, dt: number): boolean {
  if (found?.node.type !== 'Delay') return STATEFUL.includes(found?.node.type ?? '');
  return found.node.delay.data.every((delay) => Math.round(delay / dt) >= 1);
}

function isDelay(found: FlatNode | undefined): boolean {
  return found?.node.type === 'Delay';
}

interface Walked {
  /** Sources before targets, but for the closing edges. */
  readonly order: readonly string[];
  readonly closing: readonly NirEdge[];
  /** The nodes of the first loop found. */
  readonly loop: readonly string[] | undefined;
}

/** Depth first, without recursion: files may hold chains of any length. */
function walk(starts: readonly string[], edges: readonly NirEdge[]): Walked {
  const leaving = groupBy(edges, ([source]) => source);
  const state = new Map<string, 'open' | 'done'>();
  const finished: string[] = [];
  const closing: NirEdge[] = [];
  let loop: readonly string[] | undefined;
  for (const start of starts) {
    if (state.has(start)) continue;
    const path = [{ name: start, next: 0 }];
    state.set(start, 'open');
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const edge = leaving.get(at.name)?.[at.next++];
      if (!edge) {
        state.set(at.name, 'done');
        finished.push(at.name);
        path.pop();
      } else if (state.get(edge[1]) === 'open') {
        closing.push(edge);
        const names = path.map(({ name }) => name);
        loop ??= [...names.slice(names.indexOf(edge[1])), edge[1]];
      } else if (!state.has(edge[1])) {
        state.set(edge[1], 'open');
        path.push({ name: edge[1], next: 0 });
      }
    }
  }
  return { order: finished.toReversed(), closing, loop };
}

function reaches(edges: readonly NirEdge[], from: string, to: string): boolean {
  const leaving = groupBy(edges, ([source]) => source);
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const [, target] of leaving.get(name) ?? []) seen.add(target);
  }
  return false;
}
