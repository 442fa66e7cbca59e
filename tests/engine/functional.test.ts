import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { rateEncode } from '../../engine/encoders/rate.ts';
import {
  auditoryDefaults,
  centreFrequencies,
  erbBandwidth,
  openAuditoryFrontEnd,
} from '../../engine/functional/auditory-front-end.ts';
import {
  decodeMotor,
  linearDecoder,
  type MotorDecoder,
  openMotorDecoder,
  populationVector,
} from '../../engine/functional/motor-decoder.ts';
import { differenceOfGaussians, gabor } from '../../engine/functional/receptive-fields.ts';
import {
  openVisionFrontEnd,
  visionCells,
  visionDefaults,
} from '../../engine/functional/vision-front-end.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { keep } from '../../engine/ops/keep.ts';
import { clockInput, packClock } from '../../engine/ops/step-inputs.ts';
import { noParameters } from './play.ts';
import { randomSource } from './random.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await openWasmBackend({ threads: 1 });
});
afterAll(() => backend.close());

describe('receptive fields', () => {
  const fields = {
    'a difference of Gaussians': differenceOfGaussians({ size: 9, centre: 1, surround: 1.6 }),
    'a Gabor function': gabor({
      ...{ size: 9, orientation: 0.7, wavelength: 6, sigma: 2, elongation: 1.5, phase: 0.3 },
    }),
  };
  it.each(Object.entries(fields))('%s is blind to even light and answers 1 at most', (_, field) => {
    const sum = (values: Float32Array) => values.reduce((a, b) => a + b, 0);

    expect(sum(field)).toBeCloseTo(0, 6);
    expect(sum(field.map((weight) => Math.max(0, weight)))).toBeCloseTo(1, 6);
  });

  it('refuse sizes without a centre, and a surround inside the centre', () => {
    expect(() => differenceOfGaussians({ size: 8, centre: 1, surround: 2 })).toThrow('size is 8');
    expect(() => differenceOfGaussians({ size: 9, centre: 2, surround: 1 })).toThrow(
      'surround is 1',
    );
  });
});

describe('the front of vision', () => {
  const side = 25;
  const options = {
    ...{ ...visionDefaults, orientations: 6, height: side, width: side },
    code: { steps: 12, curve: 'linear', theta: 0.05 },
  } as const;
  const cells = visionCells(options);

  /** Answers and times of the first spikes in the middle of an image; a cell without a spike has T. */
  async function middleOf(pixel: (x: number, y: number) => number) {
    const reach = (side - 1) / 2;
    const image = Float32Array.from({ length: side ** 2 }, (_, i) =>
      pixel((i % side) - reach, Math.floor(i / side) - reach),
    );
    const eye = await openVisionFrontEnd(backend, options);
    const { responses, spikes } = await eye.encode(image);
    eye.close();
    const words = Math.ceil((cells.length * side ** 2) / 32);
    return cells.map((cell, c) => {
      const feature = c * side ** 2 + (side ** 2 - 1) / 2;
      const isSet = (t: number) => (spikes[t * words + (feature >>> 5)]! >>> (feature & 31)) & 1;
      const time = Array.from({ length: 12 }, (_, t) => t).find(isSet) ?? 12;
      return { cell, response: responses[feature]!, time };
    });
  }

  /** A bright bar two pixels wide through the middle, smooth at its edges. */
  const bar = (orientation: number) => (x: number, y: number) =>
    Math.exp(-((y * Math.cos(orientation) - x * Math.sin(orientation)) ** 2) / 2);

  it.each([0, 1, 2, 3, 4, 5])(
    'answers a bar of orientation %i / 6 pi first where that is preferred',
    async (k) => {
      const answers = await middleOf(bar((Math.PI * k) / 6));

      const bars = answers.filter(({ cell }) => cell.kind === 'bar');
      const best = bars.reduce((a, b) => (b.response > a.response ? b : a));
      expect(best.cell).toEqual({ kind: 'bar', orientation: (Math.PI * k) / 6, polarity: 'on' });
      expect(best.time).toBe(Math.min(...bars.map(({ time }) => time)));
      // Across the preferred orientation a cell is silent.
      const across = (Math.PI * ((k + 3) % 6)) / 6;
      const orthogonal = bars.find(
        ({ cell }) => cell.kind === 'bar' && cell.orientation === across && cell.polarity === 'on',
      )!;
      expect(orthogonal.response).toBeLessThan(0.2 * best.response);
    },
  );

  it('answers a bright spot with ON centres and a dark one with OFF centres', async () => {
    const spot = (x: number, y: number) => Math.exp(-(x ** 2 + y ** 2) / 2);
    const [bright, dark] = [await middleOf(spot), await middleOf((x, y) => 1 - spot(x, y))];

    expect(bright[0]!.time).toBeLessThan(12);
    expect(bright[1]!.time).toBe(12);
    expect(dark[0]!.time).toBe(12);
    expect(dark[1]!.time).toBeLessThan(12);
  });

  it('refuses light that is none, naming the pixel', async () => {
    const eye = await openVisionFrontEnd(backend, options);
    const image = new Float32Array(side ** 2).fill(2, 5, 6);

    await expect(eye.encode(image)).rejects.toThrow(
      'visionFrontEnd: value 5 is 2: expected a number',
    );
    await expect(eye.encode(new Float32Array(3))).rejects.toThrow(
      'takes 625 words but was given 3',
    );
    eye.close();
  });

  it('says nothing about even light, and answers contrast sooner the stronger it is', async () => {
    const even = await middleOf(() => 0.7);
    const times = await Promise.all(
      [0.4, 0.7, 1].map(async (contrast) => {
        const answers = await middleOf((x, y) => contrast * bar(0)(x, y));
        return answers[2]!.time;
      }),
    );

    expect(even.every(({ time }) => time === 12)).toBe(true);
    expect(times[0]).toBeGreaterThan(times[1]!);
    expect(times[1]).toBeGreaterThan(times[2]!);
  });
});

describe('the front of hearing', () => {
  const options = auditoryDefaults;
  const frequencies = centreFrequencies(options);
  const seconds = 0.25;
  const samples = options.sampleRateHz * seconds;

  /** Loudness of each channel in the last step, and its spikes over all steps. */
  async function hear(wave: (seconds: number) => number) {
    const data = Float32Array.from({ length: samples }, (_, i) => wave(i / options.sampleRateHz));
    const ear = await openAuditoryFrontEnd(backend, options, samples);
    const { envelope, spikes } = await ear.encode(data);
    ear.close();
    const { channels } = options;
    const frames = samples / options.hop;
    return frequencies.map((frequency, c) => ({
      frequency,
      loudness: envelope[(frames - 1) * channels + c]!,
      count: Array.from({ length: frames }, (_, t) => (spikes[t]! >>> c) & 1).reduce(
        (a, b) => a + b,
        0,
      ),
    }));
  }
  const tone =
    (hz: number, amplitude = 1) =>
    (t: number) =>
      amplitude * Math.sin(2 * Math.PI * hz * t);

  it('spreads its bands evenly over those of the ear', () => {
    expect(frequencies[0]).toBeCloseTo(100, 6);
    expect(frequencies.at(-1)).toBeCloseTo(7000, 6);
    const steps = frequencies
      .slice(1)
      .map((f, c) => (f - frequencies[c]!) / erbBandwidth((f + frequencies[c]!) / 2));
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(1.01);
  });

  it.each([150, 440, 1000, 2500, 6000])(
    'puts a tone of %i Hz into the nearest band',
    async (hz) => {
      const heard = await hear(tone(hz, 0.5));

      const loudest = heard.reduce((a, b) => (b.loudness > a.loudness ? b : a));
      // In bandwidths of the ear: a higher band is wider.
      const away = (frequency: number) => Math.abs(frequency - hz) / erbBandwidth(frequency);
      const nearest = frequencies.reduce((a, b) => (away(b) < away(a) ? b : a));
      expect(loudest.frequency).toBe(nearest);
      expect(loudest.count).toBe(Math.max(...heard.map(({ count }) => count)));
      expect(loudest.count).toBeGreaterThan(5);
    },
  );

  it('gives a tone in the middle of a band its amplitude, compressed', async () => {
    const heard = await hear(tone(frequencies[15]!, 0.25));

    expect(heard[15]!.loudness).toBeCloseTo(0.25 ** options.exponent, 2);
  });

  it('distinguishes two tones from one, fires more for louder ones, and not at all in silence', async () => {
    const both = await hear((t) => tone(300, 0.4)(t) + tone(3000, 0.4)(t));
    const at = (heard: typeof both, hz: number) =>
      heard.reduce((a, b) => (Math.abs(b.frequency - hz) < Math.abs(a.frequency - hz) ? b : a));
    const [soft, loud] = [await hear(tone(1000, 0.01)), await hear(tone(1000, 1))];

    expect(at(both, 300).count).toBeGreaterThan(2 * at(both, 1000).count);
    expect(at(both, 3000).count).toBeGreaterThan(2 * at(both, 1000).count);
    expect(at(loud, 1000).count).toBeGreaterThan(at(soft, 1000).count);
    expect((await hear(() => 0)).every(({ count }) => count === 0)).toBe(true);
  });

  it('refuses bands beyond half the sample rate, and less than one step', async () => {
    expect(() => centreFrequencies({ ...options, highestHz: 8000 })).toThrow('highestHz is 8000');
    await expect(openAuditoryFrontEnd(backend, options, 100)).rejects.toThrow(
      'time steps of hop samples is 0',
    );
  });

  it('refuses a sample that is no number, naming it', async () => {
    const ear = await openAuditoryFrontEnd(backend, options, samples);
    const broken = new Float32Array(samples).fill(Number.NaN, 77, 78);

    await expect(ear.encode(broken)).rejects.toThrow('auditoryFrontEnd: value 77 is NaN');
    ear.close();
  });
});

describe('the motor decoder', () => {
  const steps = 200;
  const tuning = { baseline: 0.4, modulation: 0.35 };
  const commands = Array.from({ length: 24 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 24 + 0.1;
    return [Math.cos(angle), Math.sin(angle)];
  });
  const evenly = directions(100, (share) => 2 * Math.PI * share);
  /** Most neurons prefer one side. */
  const unevenly = directions(100, (share) => 2 * Math.PI * share ** 3);

  function directions(count: number, angleOf: (share: number) => number): number[][] {
    return Array.from({ length: count }, (_, n) => {
      const angle = angleOf(n / count);
      return [Math.cos(angle), Math.sin(angle)];
    });
  }

  const ratesOf = (preferred: readonly number[][]) =>
    Float32Array.from(
      commands.flatMap(([x, y]) =>
        preferred.map((p) => tuning.baseline + tuning.modulation * (p[0]! * x! + p[1]! * y!)),
      ),
    );

  /** The largest angle in degrees between commands and what is decoded from random spikes. */
  async function worstAngle(preferred: readonly number[][], decoder: MotorDecoder) {
    const shape = [1, commands.length, preferred.length];
    const graph = new Graph('motor', noParameters);
    const input = graph.local('rates', 'f32', shape);
    const clock = clockInput(graph);
    const spikes = rateEncode(graph, input, { steps, stream: 0, clock });
    const kept = keep(graph, 'commands', decodeMotor(graph, spikes, decoder));
    const program = graph.build();
    const player = await backend.load(noParameters, [program]);
    player.write(input, ratesOf(preferred));
    player.write(clock, packClock({ step: 0, slot: 0, seed: [1, 2] }));
    player.play(program);
    const decoded = await player.read(kept);
    const angles = commands.map(([x, y], k) => {
      const [dx, dy] = [decoded[2 * k]!, decoded[2 * k + 1]!];
      const cosine = (x! * dx + y! * dy) / Math.hypot(dx, dy);
      return {
        degrees: (180 / Math.PI) * Math.acos(Math.min(1, cosine)),
        length: Math.hypot(dx, dy),
      };
    });
    player.close();
    return {
      degrees: Math.max(...angles.map(({ degrees }) => degrees)),
      lengths: angles.map(({ length }) => length),
    };
  }

  const fitted = (preferred: readonly number[][]) =>
    linearDecoder({
      rates: ratesOf(preferred),
      commands: Float32Array.from(commands.flat()),
      samples: commands.length,
      ridge: 0.25 / steps,
    });

  it('reads direction and size of a command from evenly tuned neurons by their votes', async () => {
    const { degrees, lengths } = await worstAngle(
      evenly,
      populationVector({ preferred: evenly, ...tuning }),
    );

    // One standard error of a component is sqrt(0.24 / 200 x 2 / 100) / 0.35, or 0.8 degrees.
    expect(degrees).toBeLessThan(5);
    for (const length of lengths) expect(Math.abs(length - 1)).toBeLessThan(0.1);
  });

  it('reads the spikes of one population', async () => {
    const decoder = populationVector({ preferred: [[1], [-1]], baseline: 0.5, modulation: 0.5 });
    const hand = await openMotorDecoder(backend, decoder, 4);

    // The first neuron fires in every step, the second in none.
    expect(await hand.command(Uint32Array.of(1, 1, 1, 1))).toEqual(Float32Array.of(1));
    expect(await hand.command(Uint32Array.of(2, 1, 1, 2))).toEqual(Float32Array.of(0));
    hand.close();
  });

  it('needs least squares where neurons are tuned unevenly', async () => {
    const votes = await worstAngle(unevenly, populationVector({ preferred: unevenly, ...tuning }));
    const fit = await worstAngle(unevenly, fitted(unevenly));

    expect(votes.degrees).toBeGreaterThan(20);
    expect(fit.degrees).toBeLessThan(10);
  });

  it('finds what made the rates where there is no noise', () => {
    const from = randomSource(8);
    const [samples, neurons] = [200, 12];
    const rates = from.floats(samples * neurons, 0, 1);
    const truth = from.floats(neurons);
    const answers = Float32Array.from({ length: samples }, (_, s) =>
      truth.reduce((sum, w, n) => sum + w * rates[s * neurons + n]!, 0.5),
    );

    const decoder = linearDecoder({ rates, commands: answers, samples, ridge: 1e-9 });

    expect(decoder.offset[0]).toBeCloseTo(0.5, 4);
    for (const [n, weight] of truth.entries()) expect(decoder.weights[n]).toBeCloseTo(weight, 4);
  });

  it('refuses neurons that disagree about commands, and samples that do not come out even', () => {
    expect(() => populationVector({ preferred: [[1, 0], [1]], ...tuning })).toThrow(
      'have 2, 1 numbers',
    );
    expect(() => populationVector({ preferred: [[1]], baseline: 0, modulation: 0 })).toThrow(
      'modulation is 0',
    );
    const [seven, three] = [new Float32Array(7), new Float32Array(3)];
    expect(() => linearDecoder({ rates: seven, commands: three, samples: 3, ridge: 1 })).toThrow(
      '7 rates and 3 numbers',
    );
  });
});
