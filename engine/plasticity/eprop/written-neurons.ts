import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { type EpropKernels, epropKernels } from '../eligibility/kernels.ts';
import { parameterValues } from '../../kernels/equation-kernels.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { carried, currentOf, type EpropNeurons, SIDES } from './neuron-model.ts';
import { type EpropStructure, LEARNED } from './structure.ts';

/** Neurons that a user wrote. Throws EngineError `invalid-equation` where e-prop does not know them. */
export function writtenNeurons(structure: EpropStructure, neuron: WrittenNeuron): EpropNeurons {
  const { batch: rows, neurons: width, inputs, surrogate, dt } = structure;
  const written = epropKernels(neuron);
  const { sizes } = written;
  const constants = { dt, ...parameterValues(neuron) };
  const states = carried('states', sizes.states, rows, width);
  const sides = SIDES.map((name) => {
    const pre = name === 'input' ? inputs : width;
    return {
      name,
      pre,
      traces: sizes.traces > 0 ? carried(`${name} traces`, sizes.traces, rows, pre) : undefined,
      eligibilities: carried(`${name} eligibilities`, sizes.eligibilities, rows, pre, width),
    };
  });
  const learning = ownOf(structure, neuron, written);
  return {
    zeroed: [
      ...sides.flatMap(({ traces, eligibilities }) => [...(traces ? [traces] : []), eligibilities]),
      ...Object.values(learning ?? {}).filter((tensor) => tensor !== undefined),
    ],
    begin(graph) {
      graph.call(written.begin, { states }, { rows, width });
    },
    step(graph, spikes, decay) {
      const taken = sides.map(({ name, pre, traces }) => {
        const sources = graph.scratch(`${name} sources`, 'f32', [sizes.sources, rows, pre]);
        const operands = { spikes: spikes[name], sources, ...(traces && { traces }) };
        graph.call(written.trace, operands, { rows, width: pre, ...constants });
        return sources;
      });
      const current = currentOf(graph, spikes);
      const factors = graph.scratch('factors', 'f32', [sizes.factors, rows, width]);
      graph.call(
        written.neurons,
        {
          current,
          states,
          spikes: spikes.recurrent,
          factors,
          ...valuesOf(graph, neuron),
          ...(learning && { own: learning.own, filtered: learning.filtered }),
        },
        { rows, width, ...constants, decay, surrogate, surrogateWidth: 1 },
      );
      return (signal) => {
        for (const [index, { name, pre, eligibilities }] of sides.entries()) {
          const { gradient } = graph.layout.get(name);
          graph.call(
            written.synapses,
            { sources: taken[index] as Tensor, factors, signal, eligibilities, gradient },
            { rows, pre, post: width, ...constants, decay },
          );
        }
        if (learning) learnOwn(graph, written, learning, signal);
      };
    },
  };
}

/** State of the numbers that the neurons learn. */
interface Own {
  /** Eligibilities by each state, and their filtered sums. */
  readonly own: Tensor;
  readonly filtered: Tensor;
  /** Gradients of a layer's numbers before they are added up over its neurons. */
  readonly totals: Tensor | undefined;
}

function ownOf(
  { batch, neurons }: EpropStructure,
  { learned, states }: WrittenNeuron,
  { sizes }: EpropKernels,
): Own | undefined {
  if (learned.length === 0) return undefined;
  const ofLayer = sizes.learnedPerLayer;
  return {
    own: carried('own eligibilities', learned.length * states.length, batch, neurons),
    filtered: carried('filtered own eligibilities', learned.length, batch, neurons),
    totals: ofLayer > 0 ? carried('gradients of the layer', ofLayer, neurons) : undefined,
  };
}

function valuesOf(graph: Graph, { learned }: WrittenNeuron): Readonly<Record<string, Tensor>> {
  const units = new Set(learned.map(({ per }) => per));
  return Object.fromEntries(
    [...units].map((per) => [LEARNED[per], graph.layout.get(LEARNED[per]).value]),
  );
}

/** Adds to the gradients of what the neurons learn. */
function learnOwn(
  graph: Graph,
  { perNeuron, perLayer, layerSums, sizes }: EpropKernels,
  { filtered, totals }: Own,
  signal: Tensor,
): void {
  const [rows = 1, width = 1] = signal.shape;
  if (sizes.learnedPerNeuron > 0) {
    const { gradient } = graph.layout.get(LEARNED.neuron);
    const attributes = { count: sizes.learnedPerNeuron, rows, width };
    graph.call(perNeuron, { filtered, signal, gradient }, attributes);
  }
  if (!totals) return;
  const count = sizes.learnedPerLayer;
  graph.call(perLayer, { filtered, signal, gradient: totals }, { count, rows, width });
  const { gradient } = graph.layout.get(LEARNED.layer);
  graph.call(layerSums, { total: totals, gradient }, { count, width });
}
