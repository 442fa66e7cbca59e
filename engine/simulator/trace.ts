import { simulatorKernels } from '../kernels/simulator.ts';
import { FIELD_CONSTANTS } from '../kernels/neuron-model.ts';
import type { Program } from '../graph/program.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Network, Neurons, Population, Projection } from './network.ts';
import type { Initialised } from './plasticity.ts';
import { type History, recordHistories } from './recorders.ts';
import { recordSource, recordStimulus } from './stimulate.ts';
import { createTracing, type Tracing } from './tracing.ts';

/** A network as a Program of one step, with its persistent tensors and their initial data. */
export interface TracedNetwork {
  readonly program: Program;
  readonly clock: Tensor;
  /** By names such as `population.states`, `population.spikes` and `projection.weight`. */
  readonly tensors: ReadonlyMap<string, Tensor>;
  /** Tensors that are not initially 0. */
  readonly first: readonly Initialised[];
  readonly histories: readonly History[];
}

/**
 * Records a step: sources and stimuli, neurons, delivery, plasticity, recorders, clock. Recorders hold
 * `capacity` steps.
 */
export function traceNetwork(network: Network, capacity: number): TracedNetwork {
  const { populations, projections, description } = network;
  const tracing = createTracing(description.seed);
  for (const population of populations) place(tracing, population);
  for (const [stream, { spec }] of populations.entries()) {
    recordSource(tracing, spec, { stream, seed: description.seed, dt: description.dt });
  }
  for (const [index, stimulus] of (description.stimuli ?? []).entries()) {
    const count = populations.find(({ spec }) => spec.name === stimulus.to)?.spec.count ?? 0;
    const stream = populations.length + index;
    recordStimulus(tracing, stimulus, { count, stream, dt: description.dt });
  }
  for (const population of populations) recordStep(tracing, population, description.dt);
  for (const projection of projections) recordDelivery(tracing, projection, populations);
  for (const projection of projections) recordPlasticity(tracing, projection, description.dt);
  const histories = recordHistories(tracing, network, capacity);
  tracing.graph.call(simulatorKernels.advance_clock, { clock: tracing.clock }, {});
  const program = tracing.graph.build();
  const isUsed = ({ tensor }: Initialised) => program.shared.includes(tensor);
  const first = tracing.first.filter(isUsed);
  // Those of plasticity rules are among them.
  const tensors = new Map(program.shared.map((tensor) => [tensor.name, tensor]));
  return { program, clock: tracing.clock, tensors, first, histories };
}

function place(tracing: Tracing, { spec, neurons }: Population): void {
  const { name, count } = spec;
  tracing.persistent(`${name}.spikes`, 'bits', [count]);
  if (!neurons) return;
  const { model, states, constants, constantCount, perNeuron, slots } = neurons;
  tracing.persistent(`${name}.arriving`, 'u32', [slots, count]);
  tracing.persistent(`${name}.drive`, 'f32', [count]);
  tracing.persistent(`${name}.states`, 'f32', [model.states.length, count], states);
  const shape = perNeuron ? [constantCount, count] : [constantCount];
  tracing.persistent(`${name}.constants`, 'f32', shape, constants);
}

function recordStep(
  { graph, clock, find }: Tracing,
  { spec: { name, count }, neurons }: Population,
  dt: number,
): void {
  if (!neurons) return;
  const { model, slots, bits, constantCount: constants, perNeuron } = neurons;
  const row = model.states.findIndex((state) => state.name === model.phase);
  if (row >= 0) {
    const field = { states: find(`${name}.states`), constants: find(`${name}.constants`) };
    graph.call(simulatorKernels.mean_field, field, { count, row, at: constants - FIELD_CONSTANTS });
  }
  const operands = {
    clock,
    ring: find(`${name}.arriving`),
    drive: find(`${name}.drive`),
    constants: find(`${name}.constants`),
    states: find(`${name}.states`),
    spikes: find(`${name}.spikes`),
  };
  const scale = 2 ** -bits;
  graph.call(simulatorKernels.neuron_step, operands, {
    model,
    count,
    slots,
    constants,
    perNeuron,
    dt,
    scale,
  });
}

function recordDelivery(
  { graph, clock, find, persistent }: Tracing,
  { name, source, target, synapses }: Projection,
  populations: readonly Population[],
): void {
  const { rowStart, target: to, weight, delay, steps } = synapses;
  const count = to.length;
  const reached: Neurons | undefined = populations.find(({ spec }) => spec === target)?.neurons;
  if (!reached) return;
  const operands = {
    clock,
    spikes: find(`${source.name}.spikes`),
    rowStart: persistent(`${name}.rowStart`, 'u32', [rowStart.length], rowStart),
    target: persistent(`${name}.target`, 'u32', [count], to),
    weight: persistent(`${name}.weight`, 'f32', [count], weight),
    ring: find(`${target.name}.arriving`),
    delay: delay && persistent(`${name}.delay`, 'u32', [count], delay),
  };
  graph.call(simulatorKernels.deliver_spikes, operands, {
    sources: source.count,
    targets: target.count,
    slots: reached.slots,
    steps,
    scale: 2 ** reached.bits,
  });
}

function recordPlasticity(
  { graph, clock, find, persistent, first }: Tracing,
  { name, spec, source, target, synapses, rule, columns }: Projection,
  dt: number,
): void {
  if (!rule || !columns) return;
  const count = synapses.target.length;
  const { columnStart } = columns;
  const tensors = {
    name,
    sources: source.count,
    targets: target.count,
    synapses: count,
    clock,
    dt,
    rowStart: find(`${name}.rowStart`),
    target: find(`${name}.target`),
    weight: find(`${name}.weight`),
    columnStart: persistent(`${name}.columnStart`, 'u32', [columnStart.length], columnStart),
    synapseOf: persistent(`${name}.synapseOf`, 'u32', [count], columns.synapseOf),
    source: persistent(`${name}.source`, 'u32', [count], columns.source),
    sourceSpikes: find(`${source.name}.spikes`),
    targetSpikes: find(`${target.name}.spikes`),
  };
  first.push(...rule.record(graph, tensors, spec.plasticity?.parameters ?? {}));
}
