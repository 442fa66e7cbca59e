import { attentionKernels } from '../kernels/attention.ts';
import type { Backend } from '../graph/backend.ts';
import {
  binsOf,
  checkMelOptions,
  cosineTransform,
  framesOf,
  melBank,
  type MelOptions,
  windowedDft,
} from '../data/audio/mel.ts';
import { expectFiniteValues } from '../checks.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { describe, type Tensor } from '../graph/tensor.ts';
import { activation } from '../ops/activation.ts';
import { linear } from '../ops/linear.ts';
import { axesOf } from '../ops/shapes.ts';
import { openHostFunction } from './host-function.ts';

/**
 * Log-mel bands, or their cepstral coefficients, of framed audio `[frames, rows, frameSamples]`: `[frames,
 * rows, features]`, so that a frame is a time step of the next layer. Window and Fourier transform, mel bank
 * and cosine transform are products with constant matrices. The frames get no gradient. In float64:
 * `melFeatures`.
 */
export function melFrontEnd(graph: Graph, framed: Tensor, options: MelOptions): Tensor {
  checkMelOptions(options);
  const { frameSamples, bands, coefficients } = options;
  const { width } = axesOf('melFrontEnd', framed);
  if (width !== frameSamples) {
    throw new EngineError(
      'shape-mismatch',
      `melFrontEnd: expected frames of ${frameSamples} samples, got ${describe(framed)}`,
    );
  }
  const bins = binsOf(options);
  const matrix = (name: string, rows: number, values: Float64Array) =>
    graph.constant(name, [rows, values.length / rows], Float32Array.from(values));
  const spectrum = linear(
    graph,
    framed,
    matrix('windowed DFT', frameSamples, windowedDft(options)),
  );
  const power = powerOf(graph, spectrum, frameSamples);
  const bandEnergies = linear(graph, power, matrix('mel bank', bins, melBank(options)));
  const logBands = activation(graph, bandEnergies, 'log');
  if (coefficients === undefined) return logBands;
  return linear(
    graph,
    logBands,
    matrix('cosine transform', bands, cosineTransform(bands, coefficients)),
  );
}

/**
 * `|X|^2 / frameSamples` of real and imaginary parts side by side: the score of each pair with itself,
 * which attention computes for a head of two features in a sequence of one token.
 */
function powerOf(graph: Graph, spectrum: Tensor, frameSamples: number): Tensor {
  const { steps, rows, width } = axesOf('melFrontEnd', spectrum);
  const bins = width / 2;
  const power = graph.scratch('power', 'f32', [steps, rows, bins]);
  graph.call(
    attentionKernels.attention_scores,
    { queries: spectrum, scores: power },
    {
      batch: steps * rows,
      sequence: 1,
      heads: bins,
      headWidth: 2,
      queryStride: width,
      queryOffset: 0,
      keyStride: width,
      keyOffset: 0,
      factor: 1 / frameSamples,
    },
  );
  return power;
}

/** The front end on a device, for one clip at a time. */
interface OpenMelFrontEnd {
  /**
   * The features of a clip, `[frames][features]`. Throws EngineError `signal-invalid`, naming the sample,
   * for one that is not finite.
   */
  extract(samples: Float32Array): Promise<Float32Array>;
  close(): void;
}

/** Opens the front on a device. Throws EngineError `invalid-setting` for options that do not fit together. */
export async function openMelFrontEnd(
  backend: Backend,
  options: MelOptions,
): Promise<OpenMelFrontEnd> {
  checkMelOptions(options);
  const { frames, frameSamples } = options;
  const input = { name: 'frames', dtype: 'f32', shape: [frames, 1, frameSamples] } as const;
  const front = await openHostFunction(backend, input, (graph, framed) => ({
    features: melFrontEnd(graph, framed, options),
  }));
  return {
    async extract(samples) {
      expectFiniteValues('mel', samples);
      const { features } = await front.call(framesOf(samples, options));
      return Float32Array.from(features);
    },
    close: front.close,
  };
}
