import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels, setBit } from './views.ts';

interface Steps {
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
}

/** Whether a neuron fired: of spikes `bits[steps, rows, width]`. */
function spikeReader(spikes: Uint32Array, { rows, width }: Pick<Steps, 'rows' | 'width'>) {
  const words = wordsPerRow(width);
  return (t: number, row: number, neuron: number) => bitAt(spikes, words, t * rows + row, neuron);
}

/** Sums up, over the steps of each neuron, what `term` makes of a spike or of none. */
function decodeEach(
  output: Float64Array,
  spikes: Uint32Array,
  { steps, rows, width }: Steps,
  begin: () => (fires: boolean, t: number) => number,
): void {
  const spikeAt = spikeReader(spikes, { rows, width });
  for (let i = 0; i < rows * width; i++) {
    const term = begin();
    let sum = 0;
    for (let t = 0; t < steps; t++) {
      sum += term(spikeAt(t, Math.floor(i / width), i % width) === 1, t);
    }
    output[i] = sum;
  }
}

/** Four complex one-pole filters in a row; takes a sample and gives the magnitude of what comes out. */
function gammatone(re: number, im: number, feed: number): (sample: number) => number {
  const stages = Array.from({ length: 4 }, () => ({ re: 0, im: 0 }));
  return (sample) => {
    let input = { re: sample, im: 0 };
    for (const z of stages) {
      const next = {
        re: re * z.re - im * z.im + feed * input.re,
        im: re * z.im + im * z.re + feed * input.im,
      };
      Object.assign(z, next);
      input = next;
    }
    return Math.hypot(input.re, input.im);
  };
}

export const encoderKernels = {
  latency_encode: ({ f, u }, { steps, rows, width }) => {
    const bounds = f('bounds');
    const spikes = u('spikes').fill(0);
    for (let i = 0; i < steps * rows * width; i++) {
      const row = Math.floor(i / width);
      const x = at(f('intensity'), i % (rows * width));
      const t = Math.floor(row / rows);
      const isHere = x > at(bounds, t + 1) && x <= at(bounds, t);
      if (isHere) setBit(spikes, wordsPerRow(width), row, i % width);
    }
  },
  latency_decode: ({ f, u }, attributes) => {
    const values = f('values');
    decodeEach(f('output'), u('spikes'), attributes, () => {
      let isOver = false;
      return (fires, t) => {
        const isFirst = fires && !isOver;
        isOver ||= fires;
        return isFirst ? at(values, t) : 0;
      };
    });
  },
  delta_encode: ({ f, u }, { steps, rows, width, threshold, level }) => {
    const signal = f('signal');
    const spikes = u('spikes').fill(0);
    const known = new Float64Array(rows * width);
    for (let i = 0; i < steps * rows * width; i++) {
      const n = i % (rows * width);
      const row = Math.floor(i / width);
      const change = at(signal, i) - at(known, n);
      const sign = Number(change >= threshold) - Number(change <= -threshold);
      const neuron = sign > 0 ? i % width : width + (i % width);
      if (sign !== 0) setBit(spikes, wordsPerRow(2 * width), row, neuron);
      known[n] = level ? at(known, n) + threshold * sign : at(signal, i);
    }
  },
  delta_decode: ({ f, u }, { steps, rows, width, threshold }) => {
    const output = f('output');
    const spikeAt = spikeReader(u('spikes'), { rows, width: 2 * width });
    for (let i = 0; i < rows * width; i++) {
      let count = 0;
      for (let t = 0; t < steps; t++) {
        const [row, n] = [Math.floor(i / width), i % width];
        count += spikeAt(t, row, n) - spikeAt(t, row, width + n);
        output[t * rows * width + i] = threshold * count;
      }
    }
  },
  tas_encode: ({ f, u }, { steps, rows, width, signalSteps, alpha, rho }) => {
    const signal = f('signal');
    const spikes = u('spikes').fill(0);
    for (let i = 0; i < rows * width; i++) {
      let v = 0;
      let excess = 0;
      for (let t = 0; t < steps; t++) {
        v += at(signal, signalSteps === 1 ? i : t * rows * width + i);
        const fires = v >= 1 + excess;
        if (fires) {
          v -= 1 + excess;
          setBit(spikes, wordsPerRow(width), t * rows + Math.floor(i / width), i % width);
        }
        excess = fires ? excess + alpha : rho * excess;
      }
    }
  },
  tas_decode: ({ f, u }, attributes) => {
    const { steps, alpha, rho } = attributes;
    decodeEach(f('output'), u('spikes'), attributes, () => {
      let excess = 0;
      return (fires) => {
        const threshold = 1 + excess;
        excess = fires ? excess + alpha : rho * excess;
        return fires ? threshold / steps : 0;
      };
    });
  },
  rate_decode: ({ f, u }, attributes) =>
    decodeEach(
      f('output'),
      u('spikes'),
      attributes,
      () => (fires) => Number(fires) / attributes.steps,
    ),
  gammatone_envelope: ({ f }, { rows, samples, channels, hop, gain, exponent }) => {
    const waveform = f('waveform');
    const poles = f('poles');
    const envelope = f('envelope');
    for (let i = 0; i < rows * channels; i++) {
      const [re = 0, im = 0, feed = 0] = poles.subarray(3 * (i % channels));
      const magnitude = gammatone(re, im, feed);
      const first = Math.floor(i / channels) * samples;
      for (let frame = 0; frame < Math.floor(samples / hop); frame++) {
        let sum = 0;
        for (let s = 0; s < hop; s++) sum += magnitude(at(waveform, first + frame * hop + s));
        envelope[frame * rows * channels + i] = gain * ((2 * sum) / hop) ** exponent;
      }
    }
  },
} satisfies Partial<ReferenceKernels>;
