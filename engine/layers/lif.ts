import type { Tensor } from '../graph/tensor.ts';
import { leakyMembrane } from '../ops/leaky.ts';
import { lif as fire, lifMembrane, type LifOptions as LifConstants } from '../ops/lif.ts';
import { recurrentLif as fireAgain } from '../ops/recurrent-lif.ts';
import { asNumbers, type Named, weightSpecs } from './dense.ts';
import { withOwnSpikes } from './own-spikes.ts';
import { featuresOf, type Layer, type Pass, type Shape, type Site } from './layer.ts';
import type { Surrogate } from '../kernels/neurons.ts';
import { choiceOf, givenOptions, numberOf, surrogateOf, switchOf } from './options.ts';
import { inWidths, wideRecurrentLif, type Widened } from './surrogate-width.ts';

interface LifOptions extends Named {
  /** Fraction of the membrane kept per step, from 0 to 1; 0.9 by default. */
  readonly beta?: number;
  /** A neuron fires when its membrane is above it; 1 by default. */
  readonly threshold?: number;
  /** After a spike the threshold is subtracted (default), or the membrane is zero. */
  readonly reset?: 'subtract' | 'zero';
  /** Slope that stands in for the derivative of a spike; `atan` by default. */
  readonly surrogate?: Surrogate;
  /** Distance from the threshold that the surrogate takes for one unit; 1 by default, which is fastest. */
  readonly surrogateWidth?: number;
}

const OPTIONS = ['beta', 'threshold', 'reset', 'surrogate', 'surrogateWidth', 'name'] as const;

/**
 * Leaky integrate-and-fire neurons, one for each feature in front, that begin at rest:
 *
 *   u[t] = beta u[t-1] + I[t] - s[t-1] threshold      s[t] = 1 if u[t] > threshold else 0
 *
 * The reset is detached from the gradient (snnTorch's Leaky). The first layer of neurons takes an input that
 * is the same in all steps as one product. Throws EngineError `invalid-setting`.
 */
export function lif(options: LifOptions = {}): Layer {
  const given = givenOptions('lif', options, OPTIONS);
  const constants = constantsOf('lif', options);
  const hasMembranes = constants.reset !== 'zero';
  return {
    kind: 'lif',
    options: given,
    place: (shape, site) => ({
      output: shape,
      parameters: [],
      inSegments: true,
      forward(pass, input) {
        const current = asNumbers(pass.graph, input);
        const neurons = { ...constants, steps: site.steps };
        const { threshold, surrogateWidth } = constants;
        const spikes = fire(pass.graph, inWidths(pass.graph, current, surrogateWidth), {
          ...neurons,
          threshold: threshold / surrogateWidth,
        });
        watched(pass, { spikes, current: () => current, neurons, shape, site });
        return spikes;
      },
      ...(hasMembranes && {
        membranes: ({ graph }: Pass, input: Tensor) =>
          leakyMembrane(graph, asNumbers(graph, input), { ...constants, steps: site.steps }),
      }),
    }),
  };
}

interface Recurrent extends Omit<LifOptions, 'reset'> {
  /** Numbers added to the current of every step; true by default. */
  readonly bias?: boolean;
}

/**
 * Leaky integrate-and-fire neurons that also receive their own layer's spikes of the step before, through
 * learned weights `[neurons, neurons]`, from and to. Throws EngineError `invalid-setting`.
 */
export function recurrentLif(options: Recurrent = {}): Layer {
  const names = ['beta', 'threshold', 'surrogate', 'surrogateWidth', 'bias', 'name'] as const;
  const given = givenOptions('recurrentLif', options, names);
  const constants = constantsOf('recurrentLif', options);
  const hasBias = switchOf('recurrentLif', 'bias', options.bias ?? true);
  return {
    kind: 'recurrentLif',
    options: given,
    place(shape, site) {
      const neurons = featuresOf(shape);
      const weights = { shape: [neurons, neurons], inputs: neurons, outputs: neurons, hasBias };
      return {
        output: shape,
        parameters: weightSpecs(site, weights),
        forward(pass, input) {
          const { graph } = pass;
          const bias = hasBias && { bias: graph.parameter(`${site.name}.bias`) };
          const weight = graph.parameter(`${site.name}.weight`);
          const all = { ...constants, steps: site.steps, ...bias };
          const outer = asNumbers(graph, input);
          const op = constants.surrogateWidth === 1 ? fireAgain : wideRecurrentLif;
          const spikes = op(graph, outer, weight, all);
          const current = () => withOwnSpikes(graph, outer, { spikes, weight, ...bias });
          watched(pass, { spikes, current, neurons: all, shape, site });
          return spikes;
        },
      };
    },
  };
}

function constantsOf(kind: string, options: LifOptions): Omit<Widened, 'steps'> {
  return {
    beta: numberOf(kind, 'beta', options.beta ?? 0.9, { from: 0, to: 1 }),
    threshold: numberOf(kind, 'threshold', options.threshold ?? 1, { above: 0 }),
    reset: choiceOf(kind, 'reset', options.reset ?? 'subtract', ['subtract', 'zero']),
    surrogate: surrogateOf(kind, options.surrogate ?? 'atan'),
    surrogateWidth: numberOf(kind, 'surrogateWidth', options.surrogateWidth ?? 1, { above: 0 }),
  };
}

interface Watched {
  readonly spikes: Tensor;
  readonly current: () => Tensor;
  readonly neurons: LifConstants;
  readonly shape: Shape;
  readonly site: Site;
}

function watched({ graph, watch }: Pass, { spikes, current, neurons, shape, site }: Watched): void {
  watch?.({
    name: site.name,
    shape,
    spikes,
    // No kernel keeps those that are set to zero.
    ...(neurons.reset !== 'zero' && {
      keepMembranes: (name: string) => lifMembrane(graph, name, current(), neurons),
    }),
  });
}
