import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { Surrogate } from '../kernels/neurons.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import { parseNeuron } from '../neurons/equations.ts';
import {
  equationExcess,
  equationMembrane,
  equationNeuron,
  type LearnedTensors,
} from '../ops/equation-neuron.ts';
import { formula } from '../ops/formula.ts';
import { keep } from '../ops/keep.ts';
import { learnedInitial } from '../ops/learned-start.ts';
import { recurrentNeuron } from '../ops/recurrent-neuron.ts';
import { asNumbers, type Named, weightSpecs } from './dense.ts';
import { featuresOf, type Layer, type Pass, type Shape, type Site } from './layer.ts';
import { withOwnSpikes } from './own-spikes.ts';
import { givenOptions, numberOf, surrogateOf, switchOf } from './options.ts';

export interface NeuronOptions extends Named {
  /** Slope that stands in for the derivative of a spike; `atan` by default. */
  readonly surrogate?: Surrogate;
  /** Distance from the threshold that the surrogate takes for one unit; 1 by default. */
  readonly surrogateWidth?: number;
  /** Whether each neuron receives the layer's spikes of the step before through learned weights; false by default. */
  readonly recurrent?: boolean;
}

export const NEURON_OPTIONS = ['surrogate', 'surrogateWidth', 'recurrent', 'name'] as const;

/**
 * Neurons of one's own, from equations: states, constants, learned parameters, and a step (see
 * docs/design/neurons.md). They are compiled for every device, with their gradient. Throws EngineError
 * `invalid-equation` with line, column and what was expected.
 *
 *   neuron(`state u = 0
 *     learn beta = 0.9 in [0, 1] per neuron
 *     u = beta * u + I
 *     s = spike(u - 1)
 *     u = u - detach(s)`)
 */
export function neuron(equations: string, options: NeuronOptions = {}): Layer {
  return neuronOf({ ...options, equations });
}

export function neuronOf(options: NeuronOptions & { readonly equations: string }): Layer {
  const { equations, ...others } = options;
  const given = givenOptions('neuron', options, ['equations', ...NEURON_OPTIONS]);
  return writtenLayer('neuron', {
    given,
    written: parseNeuron(String(equations)),
    options: others,
  });
}

interface Written {
  readonly given: Readonly<Record<string, unknown>>;
  readonly written: WrittenNeuron;
  readonly options: NeuronOptions;
  /** Where it is the same in every step, so that membranes can be told from their distance to it. */
  readonly threshold?: number;
}

/** A layer of neurons that are given as equations. */
export function writtenLayer(kind: string, { given, written, options, threshold }: Written): Layer {
  const surrogate = surrogateOf(kind, options.surrogate ?? 'atan');
  const width = options.surrogateWidth ?? 1;
  const surrogateWidth = numberOf(kind, 'surrogateWidth', width, { above: 0 });
  const isRecurrent = switchOf(kind, 'recurrent', options.recurrent ?? false);
  return {
    kind,
    options: given,
    place: (shape, site) => ({
      output: shape,
      parameters: [
        ...(isRecurrent ? recurrentWeights(shape, site) : []),
        ...learnedSpecs(written, shape, site),
      ],
      inSegments: true,
      forward(pass, input) {
        const { graph, watch } = pass;
        const current = asNumbers(graph, input);
        const { steps, name } = site;
        const neurons = { neuron: written, learned: learnedTensors(graph, written, site) };
        const choice = { steps, surrogate, surrogateWidth };
        const spikes = isRecurrent
          ? fireRecurrent(graph, current, { ...neurons, site }, choice)
          : equationNeuron(graph, current, neurons, choice);
        watch?.({
          name,
          shape,
          spikes,
          keepMembranes(own) {
            const weight = isRecurrent ? graph.parameter(`${name}.weight`) : undefined;
            const all = weight ? withOwnSpikes(graph, current, { spikes, weight }) : current;
            const kept = { current: all, ...neurons, steps };
            if (threshold === undefined) return equationExcess(graph, own, kept);
            const excess = equationExcess(graph, `${own} above the threshold`, kept);
            return keep(graph, own, withThreshold(graph, excess, threshold));
          },
        });
        return spikes;
      },
      // Those of recurrent neurons are known when they have fired.
      ...(!isRecurrent && {
        membranes({ graph }: Pass, input: Tensor) {
          const neurons = { neuron: written, learned: learnedTensors(graph, written, site) };
          const choice = { steps: site.steps, surrogate, surrogateWidth };
          const excess = equationMembrane(graph, asNumbers(graph, input), neurons, choice);
          return withThreshold(graph, excess, threshold);
        },
      }),
    }),
  };
}

/** Membranes from their distance to a threshold; the distance where the threshold is not the same in all steps. */
function withThreshold(graph: Graph, excess: Tensor, threshold: number | undefined): Tensor {
  return threshold === undefined ? excess : formula(graph, `excess + ${threshold}`, { excess });
}

function recurrentWeights(shape: Shape, site: Site) {
  const neurons = featuresOf(shape);
  const weights = { shape: [neurons, neurons], inputs: neurons, outputs: neurons, hasBias: false };
  return weightSpecs(site, weights);
}

interface RecurrentLayer {
  readonly neuron: WrittenNeuron;
  readonly learned: LearnedTensors;
  readonly site: Site;
}

function fireRecurrent(
  graph: Graph,
  current: Tensor,
  { site, ...neurons }: RecurrentLayer,
  choice: Parameters<typeof equationNeuron>[3],
): Tensor {
  const weight = graph.parameter(`${site.name}.weight`);
  return recurrentNeuron(graph, current, { ...neurons, weight }, choice);
}

function learnedSpecs({ learned }: WrittenNeuron, shape: Shape, { name }: Site) {
  return learned.map((one) => ({
    name: `${name}.${one.name}`,
    shape: [one.per === 'neuron' ? featuresOf(shape) : 1],
    initial: learnedInitial(one),
    decayed: false,
  }));
}

function learnedTensors(graph: Graph, { learned }: WrittenNeuron, { name }: Site): LearnedTensors {
  const tensors = learned.map((one) => [one.name, graph.parameter(`${name}.${one.name}`)] as const);
  return Object.fromEntries(tensors);
}
