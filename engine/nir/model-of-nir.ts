import { EngineError } from '../errors.ts';
import { init, type InitOptions, type Model } from '../layers/model.ts';
import { networkFrom } from '../layers/network-json.ts';
import type { NirGraph, NirTensor } from './graph.ts';
import { layerOfNode, type ReadLayer, unread } from './layers-of-nir.ts';
import type { Discretisation } from './neurons.ts';
import { type NirPlan, type PlannedNode, planNir } from './plan.ts';

/** Choices that NIR leaves open: the length of a step, the reset, how many steps, and the device. */
export interface FromNirOptions extends Discretisation, Pick<InitOptions, 'device'> {
  /** Time steps T for which the network runs. */
  readonly steps: number;
}

/**
 * A graph as a model of the layer floor, to be trained: a chain of Linear, Affine, convolutions, pools, Flatten and
 * neurons that fire, some of which hear their own spikes through a Linear. Layers have the names of their nodes.
 * Throws EngineError as `planNir`, and `checkpoint-mismatch` for a node that no layer computes, by its name.
 */
export async function fromNir(graph: NirGraph, options: FromNirOptions): Promise<Model> {
  const { steps, device } = options;
  const { input, links } = chainOf(planNir(graph, options));
  const layers = links.map(({ planned, recurrent }, index) => {
    const read = layerOfNode(planned, recurrent);
    return { ...read, name: nameOf(planned) ?? `${index}` };
  });
  const network = networkFrom({
    input: input.output,
    steps,
    layers: layers.map(({ json, name }, index) => ({
      ...json,
      ...(name !== `${index}` && { name }),
    })),
  });
  const model = await init(network, device === undefined ? {} : { device });
  for (const layer of layers) writeValues(model, layer);
  return model;
}

/** Names of parameters are names of tensors in files. */
const nameOf = ({ name }: PlannedNode): string | undefined =>
  /^[A-Za-z0-9_.-]{1,64}$/.test(name) ? name : undefined;

function writeValues(model: Model, { name, values }: ReadLayer & { readonly name: string }): void {
  for (const [part, numbers] of Object.entries(values)) {
    const parameter = model.parameter(`${name}.${part}`);
    if (parameter.length === numbers.length) parameter.set(numbers);
    else {
      throw new EngineError(
        'shape-mismatch',
        `NIR: ${name} has ${numbers.length} numbers as its ${part}: expected ${parameter.length}`,
      );
    }
  }
}

interface Link {
  readonly planned: PlannedNode;
  /** The weight of a Linear that leads from these neurons to themselves. */
  readonly recurrent: NirTensor | undefined;
}

/** The nodes behind the Input, one after another up to the Output. */
function chainOf({ nodes }: NirPlan): { readonly input: PlannedNode; readonly links: Link[] } {
  const input = inputOf(nodes);
  const links: Link[] = [];
  const seen = new Set<PlannedNode>();
  for (let at = input; !isEnd(at, 'Output');) {
    seen.add(at);
    const leaving = targetsOf(nodes, at);
    const loop = leaving.find((one) => isLoop(nodes, at, one));
    if (loop) seen.add(loop);
    // As the node is planned, a Linear has its type.
    const recurrent = loop && (loop.node as { readonly weight: NirTensor }).weight;
    if (at.node.type !== 'Input' && at.node.type !== 'Output')
      links.push({ planned: at, recurrent });
    const [next, branch] = leaving.filter((one) => one !== loop);
    if (!next || branch || seen.has(next)) throw branched(at, leaving);
    at = next;
  }
  const left = nodes.find((one) => !seen.has(one) && !isEnd(one, 'Output'));
  if (left) throw unread(left, 'stands beside the chain from Input to Output');
  return { input, links };
}

function inputOf(nodes: readonly PlannedNode[]): PlannedNode {
  const [input, other] = nodes.filter((one) => isEnd(one, 'Input'));
  if (!input) throw new EngineError('invalid-structure', 'NIR: the graph has no Input');
  if (other) throw unread(other, 'is a second Input: layers have one');
  return input;
}

/** Inputs and Outputs of graphs within the graph pass on what they get. */
const isEnd = ({ node, isInner }: PlannedNode, type: 'Input' | 'Output'): boolean =>
  node.type === type && !isInner;

const targetsOf = (nodes: readonly PlannedNode[], { name }: PlannedNode): readonly PlannedNode[] =>
  nodes.filter(({ from }) => from.some(([source]) => source === name));

/** Whether a Linear takes the spikes of these neurons alone, and gives to them alone. */
function isLoop(nodes: readonly PlannedNode[], neurons: PlannedNode, one: PlannedNode): boolean {
  const [back, other] = targetsOf(nodes, one);
  return one.node.type === 'Linear' && one.from.length === 1 && back === neurons && !other;
}

function branched(at: PlannedNode, leaving: readonly PlannedNode[]): EngineError {
  const names = leaving.map(({ name }) => name).join(', ') || 'nothing';
  return unread(
    at,
    `leads to ${names}: layers are a chain, in which neurons may hear themselves through a Linear`,
  );
}
