import type { Backend } from '../graph/backend.ts';
import { expectCount, refuseSetting } from '../checks.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { spikeLinear } from '../ops/linear.ts';
import { meanSteps } from '../ops/readout.ts';
import { openHostFunction } from './host-function.ts';
import { leastSquares } from './least-squares.ts';

/** A linear readout of firing rates: `command = rates weights + offset`. */
export interface MotorDecoder {
  readonly neurons: number;
  /** Numbers of a command. */
  readonly commands: number;
  /** `[neurons, commands]` */
  readonly weights: Float32Array;
  /** `[commands]` */
  readonly offset: Float32Array;
}

interface Tuning {
  /** Preferred command of each neuron, a unit vector: `[neurons][commands]`. */
  readonly preferred: readonly (readonly number[])[];
  /** Rate without a command, and how much more a unit command along the preferred one adds. */
  readonly baseline: number;
  readonly modulation: number;
}

/**
 * The population vector (Georgopoulos, Schwartz & Kettner 1986): every neuron votes for its preferred
 * command with its rate above the baseline. Unbiased for cosine tuning if the preferred commands are spread
 * evenly over all directions.
 */
export function populationVector({ preferred, baseline, modulation }: Tuning): MotorDecoder {
  const neurons = preferred.length;
  const commands = preferred[0]?.length ?? 0;
  if (neurons === 0 || preferred.some(({ length }) => length !== commands || length === 0)) {
    refuseSetting(
      `populationVector: preferred commands have ${preferred.map((p) => p.length).join(', ')} numbers: ` +
        `expected at least one neuron and as many numbers of each`,
    );
  }
  if (!(modulation > 0)) {
    refuseSetting(`populationVector: modulation is ${modulation}: expected a positive number`);
  }
  // Evenly spread unit vectors have p p^T = 1 / commands on average.
  const scale = commands / (neurons * modulation);
  const weights = Float32Array.from(preferred.flat(), (component) => scale * component);
  const offset = Float32Array.from({ length: commands }, (_, c) =>
    preferred.reduce((sum, direction) => sum - baseline * scale * (direction[c] ?? 0), 0),
  );
  return { neurons, commands, weights, offset };
}

interface DecoderSamples {
  /** Firing rates, `[samples, neurons]`. */
  readonly rates: Float32Array;
  /** The command of each sample, `[samples, commands]`. */
  readonly commands: Float32Array;
  readonly samples: number;
  /** Variance of the noise on the rates, against decoders that live on it. */
  readonly ridge: number;
}

/**
 * The optimal linear estimator (Salinas & Abbott 1994; the decoders of the Neural Engineering Framework):
 * least squares on samples of rates and commands, also for uneven tuning.
 */
export function linearDecoder({ rates, commands, samples, ridge }: DecoderSamples): MotorDecoder {
  const neurons = rates.length / samples;
  const count = commands.length / samples;
  if (!Number.isInteger(neurons) || !Number.isInteger(count) || neurons < 1 || count < 1) {
    throw new EngineError(
      'shape-mismatch',
      `linearDecoder: ${rates.length} rates and ${commands.length} numbers of commands do not make ` +
        `${samples} samples`,
    );
  }
  if (!(ridge > 0)) refuseSetting(`linearDecoder: ridge is ${ridge}: expected a positive number`);
  const { solution, offset } = leastSquares(
    { values: rates, width: neurons },
    { values: commands, width: count },
    ridge,
  );
  return { neurons, commands: count, weights: solution, offset };
}

/** Commands `[1, rows, commands]` from the spikes of a population, `bits[T, rows, neurons]`. */
export function decodeMotor(graph: Graph, spikes: Tensor, decoder: MotorDecoder): Tensor {
  const { neurons, commands } = decoder;
  const weights = graph.constant('motor decoder', [neurons, commands], decoder.weights);
  const bias = graph.constant('motor offset', [commands], decoder.offset);
  return meanSteps(graph, spikeLinear(graph, spikes, weights, { bias }));
}

/** A decoder on a device, for one population at a time. */
interface OpenMotorDecoder {
  /** Decodes spikes `bits[T, neurons]` to a command. */
  command(spikes: Uint32Array): Promise<Float32Array>;
  close(): void;
}

/** A hand that reads firing rates off T steps of spikes. */
export async function openMotorDecoder(
  backend: Backend,
  decoder: MotorDecoder,
  steps: number,
): Promise<OpenMotorDecoder> {
  expectCount('motorDecoder', 'T', steps);
  const input = { name: 'population', dtype: 'bits', shape: [steps, 1, decoder.neurons] } as const;
  const front = await openHostFunction(backend, input, (graph, spikes) => ({
    command: decodeMotor(graph, spikes, decoder),
  }));
  return {
    command: async (spikes) => Float32Array.from((await front.call(spikes)).command),
    close: front.close,
  };
}
