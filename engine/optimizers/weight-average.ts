import type { Graph } from '../graph/graph.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { sharedTensor, type Tensor } from '../graph/tensor.ts';
import { averageKernels } from '../kernels/weight-averages.ts';
import { linesOf } from './line-factors.ts';
import { expectDecay, expectSetting } from './optimizer.ts';

/** An average of a model's parameters over training, kept on the device. */
interface WeightAverage {
  /** As the parameter block, `f32[words]`: what a host reads, saves, and writes over the parameters to use it. */
  readonly values: Tensor;
  /** Averages that were taken, `f32[1]`: to be saved with the values. */
  readonly taken: Tensor;
  /** Traces that the parameters as they are now are taken in; the first ones are taken as they are. */
  take(graph: Graph): void;
  /** Traces that the parameters and their average change places, so that all that reads them reads the average. */
  exchange(graph: Graph): void;
}

/** An exponential moving average, `average = decay average + (1 - decay) parameters`: for every step. */
export function movingAverage(
  layout: ParameterLayout,
  { decay = 0.999 }: { readonly decay?: number } = {},
): WeightAverage {
  expectDecay('movingAverage', 'decay', decay);
  return averageOf(layout, { share: 1 - decay });
}

/**
 * The mean of all that are taken in: stochastic weight averaging (Izmailov et al. 2018), for a program of its own
 * that is played at the end of epochs.
 */
export function meanOfWeights(layout: ParameterLayout): WeightAverage {
  return averageOf(layout, {});
}

/**
 * An average that looks back over a fraction `span` of the steps so far, however many they are: that of step t moves to
 * the parameters by `1 / (span t)` (a power function in place of the exponential one; Karras et al. 2024).
 */
export function trailingAverage(
  layout: ParameterLayout,
  { span }: { readonly span: number },
): WeightAverage {
  expectSetting('trailingAverage', ['span', span], {
    isFit: span > 0 && span <= 1,
    expected: 'a number above 0, up to 1',
  });
  return averageOf(layout, { span });
}

function averageOf(
  layout: ParameterLayout,
  { share = 0, span = 1 }: { readonly share?: number; readonly span?: number },
): WeightAverage {
  const values = sharedTensor('average of parameters', 'f32', layout.values.shape);
  const taken = sharedTensor('averages taken', 'f32', [1]);
  return {
    values,
    taken,
    take(graph) {
      graph.call(
        averageKernels.average_weights,
        { parameters: layout.values, average: values, taken },
        { ...linesOf(layout), share, span },
      );
      graph.call(averageKernels.count_average, { taken }, { count: 1 });
    },
    exchange(graph) {
      graph.call(
        averageKernels.exchange_weights,
        { parameters: layout.values, average: values },
        linesOf(layout),
      );
    },
  };
}
