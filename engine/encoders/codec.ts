import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters } from '../graph/parameters.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';
import { clockInput, packClock } from '../ops/step-inputs.ts';
import { keyOf } from '../random/philox.ts';
import { expectFiniteValues, expectIntensities, expectCount } from '../checks.ts';
import { deltaDecode, deltaEncode, type DeltaOptions } from './delta.ts';
import { type LatencyCurve, latencyDecode, latencyEncode } from './latency.ts';
import { rateDecode, rateEncode } from './rate.ts';
import { tasDecode, tasEncode, type TasOptions } from './tas.ts';

/** Every code there is, with its settings. */
export type Code =
  | { readonly kind: 'rate'; readonly seed: number }
  | ({ readonly kind: 'latency'; readonly theta?: number } & LatencyCurve)
  | ({ readonly kind: 'delta' } & DeltaOptions)
  | ({ readonly kind: 'tas' } & TasOptions);

interface CodecShape {
  /** Time steps T. */
  readonly steps: number;
  readonly rows: number;
  /** Numbers of a row. */
  readonly width: number;
}

/** A code on a device: numbers from the host to spikes and back. */
export interface Codec {
  /** Shape of the numbers: `[rows, width]` for all steps; for the delta code a signal `[T, rows, width]`. */
  readonly numbers: readonly number[];
  /** Packed spikes: `[T, rows, neurons]`. */
  readonly spikes: readonly number[];
  /**
   * Encodes numbers. Throws EngineError `signal-invalid`, naming the value, for one that the code cannot
   * represent. `draw` selects the draws of the rate code.
   */
  encode(values: Float32Array, draw?: number): Promise<Uint32Array>;
  /** Decodes spikes to numbers of the shape `numbers`. */
  decode(spikes: Uint32Array): Promise<Float32Array>;
  close(): void;
}

/** Prepares a code for one shape. Throws EngineError `invalid-setting` naming a setting that makes no sense. */
export async function openCodec(backend: Backend, code: Code, shape: CodecShape): Promise<Codec> {
  const { steps, rows, width } = shape;
  expectCount(code.kind, 'T', steps);
  const inputSteps = code.kind === 'delta' ? steps : 1;
  const layout = layOutParameters([]);
  const encoding = new Graph('encode', layout);
  const input = encoding.local('numbers', 'f32', [inputSteps, rows, width]);
  const clock = clockInput(encoding);
  const fired = traceEncoder(encoding, code, { input, steps, clock });
  const stored = keep(encoding, 'kept spikes', fired);
  const decoding = new Graph('decode', layout);
  const given = decoding.local('spikes', 'bits', fired.shape);
  const numbers = keep(decoding, 'kept numbers', traceDecoder(decoding, code, given, steps));
  const [encodeProgram, decodeProgram] = [encoding.build(), decoding.build()];
  const player = await backend.load(layout, [encodeProgram, decodeProgram]);
  const seed = keyOf(code.kind === 'rate' ? code.seed : 0);
  return {
    numbers: inputSteps === 1 ? [rows, width] : input.shape,
    spikes: fired.shape,
    async encode(values, draw = 0) {
      expectWords(code.kind, input, values.length);
      if (code.kind === 'delta') expectFiniteValues(code.kind, values);
      else expectIntensities(code.kind, values);
      player.write(input, values);
      player.write(clock, packClock({ step: draw, slot: 0, seed }));
      player.play(encodeProgram);
      return Uint32Array.from(await player.read(stored));
    },
    async decode(spikes) {
      expectWords(code.kind, given, spikes.length);
      player.write(given, spikes);
      player.play(decodeProgram);
      return Float32Array.from(await player.read(numbers));
    },
    close: () => player.close(),
  };
}

/** Throws EngineError `shape-mismatch` that names the code. */
function expectWords(kind: Code['kind'], tensor: Tensor, count: number): void {
  if (count === wordCount(tensor)) return;
  throw new EngineError(
    'shape-mismatch',
    `${kind}: was given ${count} words: expected ${wordCount(tensor)} for [${tensor.shape.join(', ')}]`,
  );
}

interface EncoderInputs {
  readonly input: Tensor;
  readonly steps: number;
  readonly clock: Tensor;
}

function traceEncoder(graph: Graph, code: Code, { input, steps, clock }: EncoderInputs): Tensor {
  switch (code.kind) {
    case 'rate':
      return rateEncode(graph, input, { steps, stream: 0, clock });
    case 'latency':
      return latencyEncode(graph, input, { ...code, steps });
    case 'delta':
      return deltaEncode(graph, input, code);
    case 'tas':
      return tasEncode(graph, input, { ...code, steps });
  }
}

function traceDecoder(graph: Graph, code: Code, spikes: Tensor, steps: number): Tensor {
  switch (code.kind) {
    case 'rate':
      return rateDecode(graph, spikes);
    case 'latency':
      return latencyDecode(graph, spikes, { ...code, steps });
    case 'delta':
      return deltaDecode(graph, spikes, code);
    case 'tas':
      return tasDecode(graph, spikes, code);
  }
}
