import { kernels } from '../kernels/kernels.ts';
import type { Backend } from '../graph/backend.ts';
import {
  binsOf,
  checkMelOptions,
  cosineTransform,
  framesOf,
  melBank,
  type MelOptions,
  windowedDft,
} from '../data/mel.ts';
import { expectFinite } from '../encoders/checks.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { describe, type Tensor } from '../graph/tensor.ts';
import { activation } from '../ops/activation.ts';
import { linear } from '../ops/linear.ts';
import { axesOf } from '../ops/shapes.ts';
import { openHostFunction } from './host-function.ts';

/**
 * Log-mel bands, or their cepstral coefficients, of framed sounds `[frames, rows, frameSamples]`:
 * `[frames, rows, features]`, so that a frame is a time step of the neurons behind it. Window and
 * Fourier transform, mel bank and cosine transform are products with constant matrices. The frames get
 * no gradient. In float64: engine/data/mel-features.ts.
 */
export function melFront(graph: Graph, framed: Tensor, options: MelOptions): Tensor {
  checkMelOptions(options);
  const { frameSamples, bands, coefficients } = options;
  const { width } = axesOf('melFront', framed);
  if (width !== frameSamples) {
    throw new EngineError(
      'shape-mismatch',
      `melFront: expected frames of ${frameSamples} samples, got ${describe(framed)}`,
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
  const banded = linear(graph, power, matrix('mel bank', bins, melBank(options)));
  const heard = activation(graph, banded, 'log');
  if (coefficients === undefined) return heard;
  return linear(
    graph,
    heard,
    matrix('cosine transform', bands, cosineTransform(bands, coefficients)),
  );
}

/**
 * `|X|^2 / frameSamples` of real and imaginary parts side by side: the score of each pair with itself,
 * which attention computes for a head of two features in a sequence of one token.
 */
function powerOf(graph: Graph, spectrum: Tensor, frameSamples: number): Tensor {
  const { steps, rows, width } = axesOf('melFront', spectrum);
  const bins = width / 2;
  const power = graph.scratch('power', 'f32', [steps, rows, bins]);
  graph.call(
    kernels.attention_scores,
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

/** The front on a device, for one sound at a time. */
export interface MelListener {
  /**
   * The features of a sound, `[frames][features]`. Throws EngineError `signal-invalid`, naming the
   * sample, for what is no finite number.
   */
  hear(samples: Float32Array): Promise<Float32Array>;
  close(): void;
}

/** Opens the front on a device. Throws EngineError `invalid-setting` for options that do not fit together. */
export async function openMelFront(backend: Backend, options: MelOptions): Promise<MelListener> {
  checkMelOptions(options);
  const { frames, frameSamples } = options;
  const input = { name: 'frames', dtype: 'f32', shape: [frames, 1, frameSamples] } as const;
  const front = await openHostFunction(backend, input, (graph, framed) => ({
    features: melFront(graph, framed, options),
  }));
  return {
    async hear(samples) {
      expectFinite('mel', samples);
      const { features } = await front.call(framesOf(samples, options));
      return Float32Array.from(features);
    },
    close: front.close,
  };
}
