import { EngineError } from '../errors.ts';
import { constantCount, type NeuronModel } from '../kernels/neuron-model.ts';
import { neuronModel } from '../neurons/catalogue.ts';
import { keyOf } from '../random/philox.ts';
import {
  isSource,
  type PopulationSpec,
  projectionName,
  type ProjectionSpec,
  type SimulationDescription,
} from './description.ts';
import { createDraws, type Draws, valueOf } from './draws.ts';
import { type PlasticityRule, ruleOf } from './plasticity.ts';
import { buildSynapses, type Columns, columnsOf, type Synapses } from './synapses.ts';

/** A population with all of its numbers drawn. */
export interface Population {
  readonly spec: PopulationSpec;
  /** Undefined for populations that only fire. */
  readonly neurons: Neurons | undefined;
}

export interface Neurons {
  readonly model: NeuronModel;
  /** f32[states][count]. */
  readonly states: Float32Array;
  /** f32[constants][count] where `perNeuron`, else f32[constants]. */
  readonly constants: Float32Array;
  readonly constantCount: number;
  readonly perNeuron: boolean;
  /** Lines of the ring: the longest delay. */
  readonly slots: number;
  /** Fractional bits of the fixed-point input. */
  readonly bits: number;
}

export interface Projection {
  readonly name: string;
  readonly spec: ProjectionSpec;
  readonly source: PopulationSpec;
  readonly target: PopulationSpec;
  readonly synapses: Synapses;
  readonly rule: PlasticityRule | undefined;
  readonly columns: Columns | undefined;
}

/** A network with all that is random about it drawn. */
export interface Network {
  readonly description: SimulationDescription;
  readonly populations: readonly Population[];
  readonly projections: readonly Projection[];
}

/** Models and rules besides the built-in ones. */
export interface Extensions {
  readonly models?: readonly NeuronModel[];
  readonly rules?: readonly PlasticityRule[];
}

/** Draws the synapses, parameters and first states of a checked description. */
export function buildNetwork(
  description: SimulationDescription,
  { models = [], rules = [] }: Extensions,
): Network {
  const { populations, projections = [] } = description;
  const built = projections.map((spec, index) =>
    buildProjection(spec, { description, stream: index, rules }),
  );
  return {
    description,
    projections: built,
    populations: populations.map((spec, index) => ({
      spec,
      neurons: isSource(spec.model)
        ? undefined
        : buildNeurons(spec, {
            description,
            model: neuronModel(spec.model, models),
            stream: projections.length + index,
            incoming: built.filter(({ target }) => target.name === spec.name),
          }),
    })),
  };
}

interface ProjectionContext {
  readonly description: SimulationDescription;
  readonly stream: number;
  readonly rules: readonly PlasticityRule[];
}

function buildProjection(
  spec: ProjectionSpec,
  { description, stream, rules }: ProjectionContext,
): Projection {
  const { populations, seed, dt } = description;
  const find = (name: string) => {
    const found = populations.find((population) => population.name === name);
    if (found) return found;
    throw new EngineError('invalid-setting', `there is no population named ${name}`);
  };
  const [source, target] = [find(spec.from), find(spec.to)];
  const ends = { sources: source.count, targets: target.count, isSame: source === target };
  const rule = spec.plasticity && ruleOf(spec.plasticity, rules);
  const synapses = buildSynapses(spec, ends, { seed: keyOf(seed), stream, dt });
  const columns = rule && columnsOf(synapses, target.count);
  return { name: projectionName(spec), spec, source, target, synapses, rule, columns };
}

interface NeuronContext {
  readonly description: SimulationDescription;
  readonly model: NeuronModel;
  readonly stream: number;
  readonly incoming: readonly Projection[];
}

/** Models with integer states: weights are rounded to integers, too. */
const WHOLE_MODELS: readonly string[] = ['lif_integer'];

function buildNeurons(spec: PopulationSpec, context: NeuronContext): Neurons {
  const { description, model, stream, incoming } = context;
  const draws = createDraws(keyOf(description.seed), stream);
  const bits = WHOLE_MODELS.includes(model.name)
    ? 0
    : fractionBits(spec.name, spec.count, incoming.map(incomingOf));
  return {
    model,
    states: drawStates(spec, model, draws),
    ...drawConstants(spec, { model, draws, dt: description.dt }),
    slots: Math.max(1, ...incoming.map(({ synapses }) => synapses.slots)),
    bits,
  };
}

function drawStates(
  { count, initial = {} }: PopulationSpec,
  model: NeuronModel,
  draws: Draws,
): Float32Array {
  const states = new Float32Array(model.states.length * count);
  for (const [row, state] of model.states.entries()) {
    const at = valueOf(initial[state.name] ?? state.initial, draws);
    for (let i = 0; i < count; i++) states[row * count + i] = at(i);
  }
  return states;
}

function drawConstants(
  { name, count, parameters = {} }: PopulationSpec,
  { model, draws, dt }: { readonly model: NeuronModel; readonly draws: Draws; readonly dt: number },
): Pick<Neurons, 'constants' | 'constantCount' | 'perNeuron'> {
  const given = model.parameters.map((one) => parameters[one.name] ?? one.initial);
  const perNeuron = given.some((values) => typeof values !== 'number');
  if (perNeuron && model.phase !== undefined) {
    const varied = model.parameters.find((_, i) => typeof given[i] !== 'number')?.name;
    throw new EngineError(
      'invalid-setting',
      `population ${name}: ${varied} differs between neurons, expected one for all of model ${model.name}`,
    );
  }
  const lines = perNeuron ? count : 1;
  const words = constantCount(model);
  const constants = new Float32Array(words * lines);
  const valuesAt = given.map((values) => valueOf(values, draws));
  for (let i = 0; i < lines; i++) {
    const own = valuesAt.map((at) => at(i));
    const stepped = model.constants?.(own, dt) ?? own;
    for (const [c, value] of stepped.entries()) constants[c * lines + i] = value;
  }
  return { constants, constantCount: words, perNeuron };
}

function incomingOf({ synapses, rule, spec }: Projection): IncomingSynapses {
  return { synapses, largestWeight: rule?.largestWeight(spec.plasticity?.parameters ?? {}) };
}

const MAX_VALUE = 2 ** 31 - 1;
/** No finer than this: float32 has 24 bits. */
const MAX_BITS = 24;

interface IncomingSynapses {
  readonly synapses: Synapses;
  /** Upper bound of a plastic weight. */
  readonly largestWeight: number | undefined;
}

/**
 * Fractional bits of the fixed-point sum of a population's inputs: as many as prevent overflow of 32 bits
 * even if all neurons fired and all spikes arrived in one step. Throws EngineError `invalid-setting` naming
 * the population and the sum if not even integers would fit.
 */
function fractionBits(
  population: string,
  targets: number,
  incoming: readonly IncomingSynapses[],
): number {
  const sums = new Float64Array(targets);
  for (const { synapses, largestWeight } of incoming) addWeights(sums, synapses, largestWeight);
  const worst = sums.reduce((max, sum) => Math.max(max, sum), 0);
  // Each weight is rounded by up to half a unit.
  const counts = incoming.reduce((sum, { synapses }) => sum + synapses.target.length, 0);
  const bits = Math.floor(Math.log2((MAX_VALUE - counts / 2) / Math.max(worst, 1)));
  if (bits >= 0) return Math.min(bits, MAX_BITS);
  throw new EngineError(
    'invalid-setting',
    `population ${population}: weights of up to ${worst} in all could arrive at a neuron in one step, ` +
      `expected at most ${MAX_VALUE}`,
  );
}

function addWeights(
  sums: Float64Array,
  { target, weight }: Synapses,
  largest: number | undefined,
): void {
  for (let i = 0; i < target.length; i++) {
    const to = target[i] ?? 0;
    sums[to] = (sums[to] ?? 0) + Math.max(Math.abs(weight[i] ?? 0), largest ?? 0);
  }
}
