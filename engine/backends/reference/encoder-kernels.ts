import { at, type ReferenceKernels } from './views.ts';

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
