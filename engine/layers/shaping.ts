import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { dropout as dropOut } from '../ops/dropout.ts';
import { holdSteps } from '../ops/hold-steps.ts';
import { layerNorm as normalise, rmsNorm as normaliseSquares } from '../ops/norm.ts';
import { asNumbers, type Named } from './dense.ts';
import { featuresOf, type Layer, type PlacedLayer, shapeText } from './layer.ts';
import { givenOptions, numberOf, refused } from './options.ts';
import { placeLayers } from './place-layers.ts';

/** Each example and step with mean 0 and variance 1 over its features, with a learned gain and offset. */
export function layerNorm(options: Named = {}): Layer {
  return norm('layerNorm', options, (graph, input, { gain, offset }) =>
    normalise(graph, input, gain, offset()),
  );
}

/** Each example and step with a mean square of 1 over its features, with a learned gain. */
export function rmsNorm(options: Named = {}): Layer {
  return norm('rmsNorm', options, (graph, input, { gain }) => normaliseSquares(graph, input, gain));
}

type Norm = (
  graph: Graph,
  input: Tensor,
  parameters: { readonly gain: Tensor; readonly offset: () => Tensor },
) => Tensor;

function norm(kind: string, options: Named, op: Norm): Layer {
  return {
    kind,
    options: givenOptions(kind, options, ['name']),
    place(input, { name }) {
      const one = (part: string, value: number) => ({
        name: `${name}.${part}`,
        shape: [featuresOf(input)],
        initial: { kind: 'constant', value } as const,
        decayed: false,
      });
      return {
        output: input,
        parameters: [one('gain', 1), ...(kind === 'layerNorm' ? [one('offset', 0)] : [])],
        inSegments: true,
        forward: ({ graph }, from) =>
          op(graph, asNumbers(graph, from), {
            gain: graph.parameter(`${name}.gain`),
            offset: () => graph.parameter(`${name}.offset`),
          }),
      };
    },
  };
}

interface DropoutOptions extends Named {
  readonly share: number;
}

/**
 * In training, a share of the numbers is 0, and the others are divided by what is left of them (Srivastava et
 * al. 2014); nothing happens when a network predicts. Throws EngineError `invalid-setting`.
 */
export function dropout(share: number, options: Named = {}): Layer {
  return dropoutOf({ ...options, share });
}

export function dropoutOf(options: DropoutOptions): Layer {
  const share = numberOf('dropout', 'share', options.share, { from: 0, below: 1 });
  return {
    kind: 'dropout',
    options: givenOptions('dropout', options, ['share', 'name']),
    place: (input, { name, title }) => ({
      output: input,
      parameters: [],
      inSegments: true,
      forward({ graph, isTraining, clock }, from) {
        if (!isTraining || !clock || share === 0) return from;
        if (graph.segment && from.shape[0] !== 1) throw drawnPerStep(title);
        return dropOut(graph, asNumbers(graph, from), { share, clock, stream: streamOf(name) });
      },
    }),
  };
}

/** Its draws are counted from the first step of a program, and would be those of every segment. */
function drawnPerStep(title: string): EngineError {
  return new EngineError(
    'invalid-structure',
    `${title}: it draws anew in every time step, which segments cannot: expected it in front of all neurons, ` +
      'behind an input that is the same in every step, or a training without segments',
  );
}

/** Draws of layers of other names are other draws. */
function streamOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = Math.imul(hash, 31) + (character.codePointAt(0) ?? 0);
  return hash & 0x7fffffff;
}

interface ResidualOptions extends Named {
  readonly layers: readonly Layer[];
}

/** Layers whose output is added to their input, of the same shape. Throws EngineError `shape-mismatch` where it is placed. */
export function residual(layers: readonly Layer[], options: Named = {}): Layer {
  return residualOf({ ...options, layers });
}

export function residualOf(options: ResidualOptions): Layer {
  const { layers } = options;
  if (!Array.isArray(layers) || layers.length === 0) {
    throw refused('residual', 'there are no layers: expected an array of at least one');
  }
  return {
    kind: 'residual',
    options: givenOptions('residual', options, ['layers', 'name']),
    place(input, site): PlacedLayer {
      const { placed, output } = placeLayers(layers, { input, steps: site.steps, inside: site });
      if (shapeText(output) !== shapeText(input)) {
        throw new EngineError(
          'shape-mismatch',
          `${site.title}: its layers make ${shapeText(output)} of ${shapeText(input)}: ` +
            'expected the shape that they are added to',
        );
      }
      return {
        output,
        parameters: placed.flatMap(({ parameters }) => parameters),
        inSegments: placed.every(({ inSegments }) => inSegments === true),
        forward(pass, from) {
          const inner = placed.reduce((tensor, layer) => layer.forward(pass, tensor), from);
          return sumOf(pass.graph, from, inner);
        },
      };
    },
  };
}

/** The sum of two tensors; one of a single step is added to every step of the other. */
function sumOf(graph: Graph, first: Tensor, second: Tensor): Tensor {
  const [steps = 1] = first.shape[0] === 1 ? second.shape : first.shape;
  const [a, b] = [first, second].map((tensor) => {
    const numbers = asNumbers(graph, tensor);
    return numbers.shape[0] === 1 ? holdSteps(graph, numbers, steps) : numbers;
  }) as [Tensor, Tensor];
  const output = graph.scratch('sum', 'f32', a.shape);
  const count = wordCount(output);
  graph.call(memoryKernels.copy, { source: a, target: output }, { count });
  graph.call(memoryKernels.add, { addend: b, target: output }, { count });
  graph.differentiable({
    inputs: [a, b],
    output,
    backward(gradient, gradients) {
      gradients.into(a, (target, accumulate) =>
        accumulate
          ? graph.call(memoryKernels.add, { addend: gradient, target }, { count })
          : graph.call(memoryKernels.copy, { source: gradient, target }, { count }),
      );
      gradients.give(b, gradient);
    },
  });
  return output;
}
