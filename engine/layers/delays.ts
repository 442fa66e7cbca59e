import type { ParameterSpec } from '../graph/parameters.ts';
import { delayedLinear as delayedProduct, delayFeatures } from '../ops/delays.ts';
import { holdSteps } from '../ops/hold-steps.ts';
import { withHistory } from '../ops/segment-history.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { asNumbers, flatFeatures, type Named, weightSpecs } from './dense.ts';
import { featuresOf, type Layer, type Site } from './layer.ts';
import { countOf, givenOptions, numberOf, switchOf } from './options.ts';

interface Delays extends Named {
  /** Longest delay, in steps. */
  readonly longest: number;
  /** Steps that a delay is spread over while it is learned: a standard deviation, from 0.1 on; 1 by default. */
  readonly sigma?: number;
}

const MAX_DELAY = 1000;

/**
 * Each feature some steps later, by a delay that it learns: axons. Delays begin uniform between 0 and the longest,
 * and are spread as a Gaussian over the steps around them. Throws EngineError `invalid-setting`.
 */
export function delays(longest: number, options: Omit<Delays, 'longest'> = {}): Layer {
  return delaysOf({ ...options, longest });
}

export function delaysOf(options: Delays): Layer {
  const chosen = choiceOf('delays', options);
  return {
    kind: 'delays',
    options: givenOptions('delays', options, ['longest', 'sigma', 'name']),
    place: (input, site) => ({
      output: input,
      parameters: [positionSpec(site, [featuresOf(input)], options.longest)],
      inSegments: true,
      forward: ({ graph }, from) =>
        withHistory(graph, inAllSteps(graph, from, site), options.longest, (all) =>
          delayFeatures(graph, all, positionsOf(graph, site), chosen),
        ),
    }),
  };
}

interface DelayedLinear extends Delays {
  readonly outputs: number;
  /** Numbers added to every output; true by default. */
  readonly bias?: boolean;
}

/**
 * A linear layer each connection of which has a delay that it learns (Hammouamri et al. 2024). It is one product for
 * each step of the longest delay. Throws EngineError `invalid-setting`.
 */
export function delayedLinear(
  outputs: number,
  longest: number,
  options: Omit<DelayedLinear, 'outputs' | 'longest'> = {},
): Layer {
  return delayedLinearOf({ ...options, outputs, longest });
}

export function delayedLinearOf(options: DelayedLinear): Layer {
  const names = ['outputs', 'longest', 'sigma', 'bias', 'name'] as const;
  const outputs = countOf('delayedLinear', 'outputs', options.outputs);
  const chosen = choiceOf('delayedLinear', options);
  const hasBias = switchOf('delayedLinear', 'bias', options.bias ?? true);
  return {
    kind: 'delayedLinear',
    options: givenOptions('delayedLinear', options, names),
    place(input, site) {
      const inputs = flatFeatures(input, site);
      const shape = [inputs, outputs];
      return {
        output: [outputs],
        parameters: [
          ...weightSpecs(site, { shape, inputs, outputs, hasBias }),
          positionSpec(site, shape, options.longest),
        ],
        inSegments: true,
        forward({ graph }, from) {
          const weight = graph.parameter(`${site.name}.weight`);
          const bias = hasBias && { bias: graph.parameter(`${site.name}.bias`) };
          const connections = { weight, positions: positionsOf(graph, site) };
          const all = inAllSteps(graph, from, site);
          return withHistory(graph, all, options.longest, (own) =>
            delayedProduct(graph, own, connections, { ...chosen, ...bias }),
          );
        },
      };
    },
  };
}

function choiceOf(kind: string, { longest, sigma = 1 }: Delays) {
  const taps = countOf(kind, 'longest', longest, MAX_DELAY) + 1;
  return {
    taps,
    kernel: 'gaussian',
    sigma: numberOf(kind, 'sigma', sigma, { from: 0.1 }),
  } as const;
}

function positionSpec({ name }: Site, shape: readonly number[], longest: number): ParameterSpec {
  const initial = { kind: 'uniform', bound: longest / 2, centre: longest / 2 } as const;
  return { name: `${name}.delays`, shape, initial, decayed: false };
}

const positionsOf = (graph: Graph, { name }: Site): Tensor => graph.parameter(`${name}.delays`);

/** An input that is the same in every step is so from the first step on. */
function inAllSteps(graph: Graph, input: Tensor, { steps }: Site): Tensor {
  if (input.shape[0] === steps) return input;
  return holdSteps(graph, asNumbers(graph, input), steps);
}
