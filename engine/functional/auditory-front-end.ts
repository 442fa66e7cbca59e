import { encoderKernels } from '../kernels/encoders.ts';
import type { Backend } from '../graph/backend.ts';
import {
  expectCount,
  expectFiniteValues,
  expectPositive,
  expectWithin,
  refuseSetting,
} from '../checks.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { lif } from '../ops/lif.ts';
import { axesOf } from '../ops/shapes.ts';
import { type Answers, openHostFunction } from './host-function.ts';

interface AuditoryFrontEndOptions {
  /** Samples a second. */
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Centre frequencies of the first and the last channel. */
  readonly lowestHz: number;
  readonly highestHz: number;
  /** Samples of one time step. */
  readonly hop: number;
  /** Loudness is raised to this power, as hair cells and loudness do; 0.3 after Stevens. */
  readonly exponent: number;
  /** Current of a tone of amplitude 1 in the middle of a band. */
  readonly gain: number;
  /** The auditory nerve: leaky integrate-and-fire neurons. */
  readonly beta: number;
  readonly threshold: number;
}

/** 32 bands from 100 Hz to 7 kHz of sound at 16 kHz, in steps of 10 ms. */
export const auditoryDefaults: AuditoryFrontEndOptions = {
  sampleRateHz: 16_000,
  channels: 32,
  lowestHz: 100,
  highestHz: 7_000,
  hop: 160,
  exponent: 0.3,
  gain: 1,
  beta: 0.5,
  threshold: 1,
};

/** Equivalent rectangular bandwidth of the ear at a frequency, in Hz (Glasberg & Moore 1990). */
export function erbBandwidth(frequencyHz: number): number {
  return 24.7 * (1 + (4.37 * frequencyHz) / 1000);
}

/** Number of such bands below a frequency. */
function erbNumber(frequencyHz: number): number {
  return 21.4 * Math.log10(1 + (4.37 * frequencyHz) / 1000);
}

/** Centre frequencies, evenly spread over the bands of the ear. */
export function centreFrequencies(
  options: Pick<AuditoryFrontEndOptions, 'channels' | 'lowestHz' | 'highestHz' | 'sampleRateHz'>,
): number[] {
  const { channels, lowestHz, highestHz, sampleRateHz } = options;
  expectCount('auditoryFrontEnd', 'channels', channels);
  expectPositive('auditoryFrontEnd', 'sampleRateHz', sampleRateHz);
  expectPositive('auditoryFrontEnd', 'lowestHz', lowestHz);
  if (!(highestHz >= lowestHz && highestHz < sampleRateHz / 2)) {
    refuseSetting(
      `auditoryFrontEnd: highestHz is ${highestHz}: expected from ${lowestHz} to below half the sample ` +
        `rate, ${sampleRateHz / 2}`,
    );
  }
  const [low, high] = [erbNumber(lowestHz), erbNumber(highestHz)];
  return Array.from({ length: channels }, (_, c) => {
    const number = channels === 1 ? low : low + ((high - low) * c) / (channels - 1);
    return (1000 / 4.37) * (10 ** (number / 21.4) - 1);
  });
}

/** Bandwidth factor that gives a filter of order 4 the width of the ear's (Patterson 1988). */
const ORDER_4 = 1.019;

/** The poles of the bands, `[channels, 3]`: real and imaginary part, and the distance to the unit circle. */
function gammatonePoles(options: AuditoryFrontEndOptions): Float32Array {
  const poles = centreFrequencies(options).flatMap((frequency) => {
    const decay = (2 * Math.PI * ORDER_4 * erbBandwidth(frequency)) / options.sampleRateHz;
    const angle = (2 * Math.PI * frequency) / options.sampleRateHz;
    const radius = Math.exp(-decay);
    return [radius * Math.cos(angle), radius * Math.sin(angle), -Math.expm1(-decay)];
  });
  return Float32Array.from(poles);
}

interface AuditoryFrontEnd {
  /** `bits[frames, rows, channels]` */
  readonly spikes: Tensor;
  /** Compressed loudness of each band, which is the current of the nerve: `[frames, rows, channels]`. */
  readonly envelope: Tensor;
}

/**
 * The auditory front end: waveforms `[1, rows, samples]` through a cochlea of gammatone filters (Patterson
 * 1988, in Hohmann's all-pole form of 2002), whose compressed envelopes drive the nerve. A step is `hop`
 * samples; an incomplete step is ignored.
 */
function auditoryFrontEnd(
  graph: Graph,
  waveform: Tensor,
  options: AuditoryFrontEndOptions,
): AuditoryFrontEnd {
  const { rows, width: samples } = axesOf('auditoryFrontEnd', waveform);
  const { channels, hop, gain, exponent, beta, threshold } = options;
  expectCount('auditoryFrontEnd', 'hop', hop);
  expectCount('auditoryFrontEnd', 'time steps of hop samples', Math.floor(samples / hop));
  expectPositive('auditoryFrontEnd', 'gain', gain);
  expectPositive('auditoryFrontEnd', 'exponent', exponent);
  expectWithin('auditoryFrontEnd', 'beta', beta, [0, 1]);
  expectPositive('auditoryFrontEnd', 'threshold', threshold);
  const steps = Math.floor(samples / hop);
  const poles = graph.constant('gammatone poles', [channels, 3], gammatonePoles(options));
  const envelope = graph.scratch('cochlea', 'f32', [steps, rows, channels]);
  graph.call(
    encoderKernels.gammatone_envelope,
    { waveform, poles, envelope },
    { rows, samples, channels, hop, gain, exponent },
  );
  const spikes = lif(graph, envelope, { steps, beta, threshold, surrogate: 'atan' });
  return { spikes, envelope };
}

/** The front end on a device, for one clip at a time. */
interface OpenAuditoryFrontEnd {
  /** Centre frequencies of the channels. */
  readonly frequenciesHz: readonly number[];
  /** Time steps of a clip. */
  readonly steps: number;
  /** Throws EngineError `signal-invalid`, naming the sample, for one that is not finite. */
  encode(waveform: Float32Array): Promise<Answers<'spikes' | 'envelope'>>;
  close(): void;
}

/** Opens the front end for clips of this many samples. */
export async function openAuditoryFrontEnd(
  backend: Backend,
  options: AuditoryFrontEndOptions,
  samples: number,
): Promise<OpenAuditoryFrontEnd> {
  expectCount('auditoryFrontEnd', 'samples', samples);
  const input = { name: 'waveform', dtype: 'f32', shape: [1, 1, samples] } as const;
  const front = await openHostFunction(backend, input, (graph, waveform) => {
    const { spikes, envelope } = auditoryFrontEnd(graph, waveform, options);
    return { spikes, envelope };
  });
  return {
    frequenciesHz: centreFrequencies(options),
    steps: Math.floor(samples / options.hop),
    async encode(waveform) {
      expectFiniteValues('auditoryFrontEnd', waveform);
      return front.call(waveform);
    },
    close: front.close,
  };
}
