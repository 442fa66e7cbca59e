import { EngineError } from '../errors.ts';
import {
  buildNetwork,
  type Network,
  type Population,
  type Projection,
} from '../simulator/network.ts';
import type { SimulationDescription } from '../simulator/description.ts';
import type { NirExport } from './export-model.ts';
import type { NirNode } from './graph.ts';
import { GraphBuilder, tensorOf } from './graph-builder.ts';
import type { ResetRule } from './neurons.ts';

/** Reset rules of the models that NIR has a node for. */
const RESETS: Readonly<Record<string, ResetRule>> = { lif: 'delayed', lif_reset: 'value' };
/** Limit of the weights of a projection, most of which may be 0: NIR has dense ones only. */
const MAX_WEIGHTS = 2 ** 24;
const MAX_DELAYS = 64;
/** A network runs as long as one likes. */
const STEPS = 1000;

/** A network of the simulator as a graph, and the rule that its neurons are to be reset by. */
export interface NetworkExport extends NirExport {
  readonly reset: ResetRule;
}

/**
 * A network of leaky integrate-and-fire neurons, drawn from its seed, with time in ms. External spikes and
 * stimuli are Inputs. Throws EngineError `checkpoint-mismatch` that names what NIR cannot represent.
 */
export function nirOfNetwork(description: SimulationDescription): NetworkExport {
  const { dt, stimuli = [] } = description;
  const network = buildNetwork(description, {});
  const reset = resetOf(network);
  const builder = new GraphBuilder();
  const driven = new Set(stimuli.map(({ to }) => to));
  for (const population of network.populations) {
    const { name, count } = population.spec;
    const node = nameOf(name);
    if (!population.neurons) {
      builder.put(node, { type: 'Input', shape: [count] });
      continue;
    }
    builder.put(node, neuronsOf(population, dt));
    if (!driven.has(name)) continue;
    builder.put(`${node}_drive`, { type: 'Input', shape: [count] });
    builder.join(`${node}_drive`, node);
  }
  for (const projection of network.projections) addSynapses(builder, projection, dt);
  for (const { spec, neurons } of network.populations) {
    if (!neurons) continue;
    const node = nameOf(spec.name);
    builder.put(`${node}_spikes`, { type: 'Output', shape: [spec.count] });
    builder.join(node, `${node}_spikes`);
  }
  const reading =
    'spikes of populations that fire from outside, and for NAME_drive the current of its stimuli, step by step; ' +
    'NAME_spikes are the spikes of each population';
  return { graph: builder.graph(dt), steps: STEPS, reset, reading };
}

function resetOf({ populations }: Network): ResetRule {
  const rules = populations.flatMap(({ spec, neurons }) => {
    if (!neurons) return [];
    const rule = Object.hasOwn(RESETS, spec.model) ? RESETS[spec.model] : undefined;
    return rule ?? refuse(`neurons of the model ${spec.model} (${spec.name})`);
  });
  const [first = 'delayed', ...others] = new Set(rules);
  if (others.length > 0) refuse('two rules of reset in one network (lif and lif_reset)');
  return first;
}

/** Constants are decay, threshold, reset and refractory steps. */
function neuronsOf({ spec, neurons }: Population, dt: number): NirNode {
  const { name, count } = spec;
  if (!neurons) throw new Error(`${name} has no neurons`);
  if (neurons.states.some((state) => state !== 0)) refuse(`first states other than 0 (${name})`);
  const { constants, perNeuron } = neurons;
  const line = (index: number) =>
    Float64Array.from(
      { length: count },
      (_, i) => constants[perNeuron ? index * count + i : index] ?? 0,
    );
  if (line(3).some((steps) => steps > 0)) refuse(`a refractory time (${name})`);
  const decay = line(0);
  if (decay.some((beta) => beta >= 1)) refuse(`a time constant this long for a step (${name})`);
  const shape = [count];
  const tau = decay.map((beta) => dt / (1 - beta));
  return {
    type: 'LIF',
    tau: { shape, data: tau },
    r: { shape, data: tau.map((each) => each / dt) },
    v_leak: tensorOf(shape, 0),
    v_threshold: { shape, data: line(1) },
    v_reset: { shape, data: line(2) },
  };
}

/** A Delay and a Linear for each delay of a projection. */
function addSynapses(builder: GraphBuilder, projection: Projection, dt: number): void {
  const { name, source, target, rule } = projection;
  if (rule) refuse(`plasticity (${name})`);
  if (source.count * target.count > MAX_WEIGHTS) {
    refuse(`${source.count} x ${target.count} weights (${name}): at most ${MAX_WEIGHTS}`);
  }
  const weights = weightsByDelay(projection);
  if (weights.size > MAX_DELAYS) {
    refuse(`${weights.size} different delays (${name}): at most ${MAX_DELAYS}`);
  }
  for (const [steps, data] of [...weights].toSorted(([a], [b]) => a - b)) {
    const node = `${nameOf(name)}_${steps}`;
    const delay = tensorOf([source.count], steps * dt);
    builder.put(`${node}_delay`, { type: 'Delay', delay });
    builder.join(nameOf(source.name), `${node}_delay`);
    const weight = { shape: [target.count, source.count], data };
    builder.put(`${node}_weight`, { type: 'Linear', weight });
    builder.join(`${node}_delay`, `${node}_weight`);
    builder.join(`${node}_weight`, nameOf(target.name));
  }
}

/** Weights `[targets, sources]` by delay in steps. */
function weightsByDelay({ source, target, synapses }: Projection): Map<number, Float32Array> {
  const weights = new Map<number, Float32Array>();
  const { rowStart, delay, steps } = synapses;
  for (let from = 0; from < source.count; from++) {
    const row = { start: rowStart[from] ?? 0, end: rowStart[from + 1] ?? 0 };
    const targets = synapses.target.subarray(row.start, row.end);
    for (const [i, to] of targets.entries()) {
      const own = delay ? (delay[row.start + i] ?? steps) : steps;
      const dense = weights.get(own) ?? new Float32Array(source.count * target.count);
      weights.set(own, dense);
      // Several synapses of one pair add up.
      const at = to * source.count + from;
      dense[at] = (dense[at] ?? 0) + (synapses.weight[row.start + i] ?? 0);
    }
  }
  return weights;
}

/** Names of nodes are parts of paths in a file. */
const nameOf = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_');

function refuse(what: string): never {
  throw new EngineError(
    'checkpoint-mismatch',
    `NIR has no node for ${what}: the network cannot be exported`,
  );
}
