import { modalitiesOf, type SpikeTrain } from '../edge/brain/contract/prompt.ts';
import { bytesOfBase64 } from '../edge/contract/base64.ts';
import { Problem } from '../edge/contract/refusal.ts';
import {
  type Backend,
  EngineError,
  type MotorDecoder,
  openMotorDecoder,
  populationVector,
} from '../engine/index.ts';
import type { BrainModule } from './brain-node.ts';

type OpenMotorDecoder = Awaited<ReturnType<typeof openMotorDecoder>>;

/** Number of spike train lengths whose programs are cached. */
const MAX_DECODERS = 8;

/** Neurons whose preferred directions are spread evenly over the plane, and how they fire. */
const DEFAULT_NEURONS = 64;
const BASELINE = 0.2;
const MODULATION = 0.2;

/** Directions in a plane from the firing of 64 neurons with cosine tuning. */
function planeDecoder(neurons = DEFAULT_NEURONS): MotorDecoder {
  const preferred = Array.from({ length: neurons }, (_, i) => {
    const angle = (2 * Math.PI * i) / neurons;
    return [Math.cos(angle), Math.sin(angle)];
  });
  return populationVector({ preferred, baseline: BASELINE, modulation: MODULATION });
}

/** A module that decodes the spikes of a population to commands. It closes the backend, too. */
export function openMotorModule(backend: Backend, decoder = planeDecoder()): BrainModule {
  const decoders = new Map<number, Promise<OpenMotorDecoder>>();
  /** Queued: a decoder has one input buffer. */
  let turn: Promise<unknown> = Promise.resolve();

  function decoderFor(times: number): Promise<OpenMotorDecoder> {
    const opened = decoders.get(times) ?? openMotorDecoder(backend, decoder, times);
    decoders.delete(times);
    decoders.set(times, opened);
    const [oldest] = decoders;
    if (decoders.size > MAX_DECODERS && oldest) {
      decoders.delete(oldest[0]);
      void oldest[1].then((one) => one.close());
    }
    return opened;
  }

  async function decode(spikes: SpikeTrain): Promise<number[]> {
    const bits = bitsOf(spikes, decoder.neurons);
    try {
      return Array.from(await (await decoderFor(spikes.times)).command(bits));
    } catch (error) {
      decoders.delete(spikes.times);
      throw error instanceof EngineError ? new Problem('validation_failed', error.message) : error;
    }
  }

  return {
    metadata: { decoder: 'population', neurons: decoder.neurons, commands: decoder.commands },
    async answer(prompt) {
      const { spikes } = prompt;
      if (!spikes) {
        const given = modalitiesOf(prompt).join(', ');
        throw new Problem(
          'validation_failed',
          `A motor node reads spikes: expected spikes (got ${given}).`,
        );
      }
      const decoded = turn.then(() => decode(spikes));
      turn = decoded.catch(() => {});
      return { outputs: { command: await decoded }, model: null };
    },
    async close() {
      await turn;
      for (const opened of decoders.values()) (await opened).close();
      backend.close();
    },
  };
}

/** Packed spikes as words, `bits[times, neurons]`. @throws Problem validation_failed */
function bitsOf({ neurons, times, bits }: SpikeTrain, expected: number): Uint32Array {
  if (neurons !== expected) {
    throw new Problem(
      'validation_failed',
      `spikes.neurons is ${neurons}: the decoder reads ${expected}.`,
    );
  }
  const bytes = bytesOfBase64(bits, '/spikes/bits');
  const words = times * Math.ceil(neurons / 32);
  if (bytes.length !== 4 * words) {
    throw new Problem(
      'validation_failed',
      `spikes.bits holds ${bytes.length} bytes: expected ${4 * words} for ${times} times of ${neurons} neurons.`,
    );
  }
  const view = new DataView(bytes.buffer);
  return Uint32Array.from({ length: words }, (_, i) => view.getUint32(4 * i, true));
}
