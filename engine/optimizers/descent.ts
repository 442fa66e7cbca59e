import { optimizerKernels } from '../kernels/optimizers.ts';
import { adamW as traceAdamW } from '../ops/adamw.ts';
import { beginStep, NO_CLIPPING } from './block-step.ts';
import {
  checkOptions,
  expectDecay,
  expectSetting,
  type Optimizer,
  type OptimizerOptions,
} from './optimizer.ts';

interface SgdOptions extends OptimizerOptions {
  /** Fraction of the velocity that is kept per step, from 0 to below 1. */
  readonly momentum?: number;
  /** Looks one step of the momentum ahead (Sutskever et al. 2013). */
  readonly nesterov?: boolean;
}

/** Stochastic gradient descent: `m = momentum m + g`, then `w = w - rate m`. Weight decay is part of g. */
export function sgd(learningRate: number, options: SgdOptions = {}): Optimizer {
  const { momentum = 0, nesterov = false, weightDecay = 0, clip } = options;
  checkOptions('sgd', learningRate, options);
  expectDecay('sgd', 'momentum', momentum);
  return {
    name: 'sgd',
    learningRate,
    weightDecay,
    clipNorm: clip?.norm ?? NO_CLIPPING,
    beta1: momentum,
    beta2: 0,
    slots: () => ['momentum'],
    update(graph, inputs, only) {
      const { lines, operands } = beginStep(graph, options, inputs, only);
      graph.call(optimizerKernels.sgd_step, operands, { ...lines, beta: momentum, nesterov });
      return operands.scale;
    },
  };
}

interface AdamOptions extends OptimizerOptions {
  /** Fractions of the first and second moment that are kept per step. */
  readonly beta1?: number;
  readonly beta2?: number;
  /** Added to the root of the second moment. */
  readonly epsilon?: number;
}

/** Adam (Kingma & Ba 2015). Weight decay is part of the gradient, as the square of the weights in the loss. */
export function adam(learningRate: number, options: AdamOptions = {}): Optimizer {
  return adamOf('adam', learningRate, { weightDecay: 0, ...options });
}

/**
 * AdamW (Loshchilov & Hutter 2019): Adam with a weight decay of its own, 0.01 where it is left out, on matrices. The
 * same kernel as that of the families where all parameters are alike.
 */
export function adamW(learningRate: number, options: AdamOptions = {}): Optimizer {
  return adamOf('adamW', learningRate, { weightDecay: 0.01, ...options });
}

function adamOf(
  name: 'adam' | 'adamW',
  learningRate: number,
  options: AdamOptions & { readonly weightDecay: number },
): Optimizer {
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay, groups, clip } = options;
  checkOptions(name, learningRate, options);
  expectDecay(name, 'beta1', beta1);
  expectDecay(name, 'beta2', beta2);
  expectSetting(name, ['epsilon', epsilon], { isFit: epsilon > 0, expected: 'a positive number' });
  const constants = { beta1, beta2, epsilon };
  const isPlain = name === 'adamW' && !groups?.length && clip?.value === undefined;
  return {
    name,
    learningRate,
    weightDecay,
    clipNorm: clip?.norm ?? NO_CLIPPING,
    beta1,
    beta2,
    slots: () => ['momentum', 'variance'],
    update(graph, inputs, only) {
      if (isPlain && !only) return traceAdamW(graph, constants, inputs);
      const { lines, operands } = beginStep(graph, options, inputs, only);
      const { variance } = graph.layout;
      graph.call(
        optimizerKernels.adam_step,
        { ...operands, variance },
        { ...lines, ...constants, coupled: name === 'adam' },
      );
      return operands.scale;
    },
  };
}

interface LionOptions extends OptimizerOptions {
  readonly beta1?: number;
  readonly beta2?: number;
}

/**
 * Lion (Chen et al. 2023): steps of one size, along the sign of a mixture of gradient and momentum. Its rate is
 * some ten times smaller than that of AdamW, and its decay as much larger.
 */
export function lion(learningRate: number, options: LionOptions = {}): Optimizer {
  const { beta1 = 0.9, beta2 = 0.99, weightDecay = 0, clip } = options;
  checkOptions('lion', learningRate, options);
  expectDecay('lion', 'beta1', beta1);
  expectDecay('lion', 'beta2', beta2);
  return {
    name: 'lion',
    learningRate,
    weightDecay,
    clipNorm: clip?.norm ?? NO_CLIPPING,
    beta1,
    beta2,
    slots: () => ['momentum'],
    update(graph, inputs, only) {
      const { lines, operands } = beginStep(graph, options, inputs, only);
      graph.call(optimizerKernels.lion_step, operands, { ...lines, beta1, beta2 });
      return operands.scale;
    },
  };
}
