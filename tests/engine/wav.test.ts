import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resample } from '../../engine/data/audio/resample.ts';
import { decodeWav } from '../../engine/data/audio/wav.ts';
import { EngineError } from '../../engine/errors.ts';
import { extent } from './extent.ts';

type Bytes = readonly number[];

const word = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) % 256);
const text = (tag: string) => [...Buffer.from(tag, 'latin1')];
const chunk = (tag: string, content: Bytes): number[] => [
  ...[...text(tag), ...word(content.length, 4), ...content],
  ...(content.length % 2 ? [0] : []),
];
const riff = (...chunks: Bytes[]): Uint8Array => {
  const body = [...text('WAVE'), ...chunks.flat()];
  return Uint8Array.from([...text('RIFF'), ...word(body.length, 4), ...body]);
};

interface Format {
  readonly kind?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits?: number;
  readonly frameBytes?: number;
}

function format({ kind = 1, channels = 1, rate = 8000, bits = 16, frameBytes }: Format = {}) {
  const frame = frameBytes ?? (channels * bits) / 8;
  return [
    ...[...word(kind, 2), ...word(channels, 2), ...word(rate, 4), ...word(rate * frame, 4)],
    ...[...word(frame, 2), ...word(bits, 2)],
  ];
}
const wav = (form: Format, data: Bytes) => riff(chunk('fmt ', format(form)), chunk('data', data));
const floats = (values: number[], bits: 32 | 64) => [
  ...new Uint8Array((bits === 32 ? Float32Array : Float64Array).from(values).buffer),
];
const MICROSOFT = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
const extensible = (form: Format, guid: Bytes = [...word(form.kind ?? 1, 2), ...MICROSOFT]) => [
  ...format({ ...form, kind: 0xfffe }),
  ...[...word(22, 2), ...word(form.bits ?? 16, 2), ...word(0, 4), ...guid],
];
/** The outcome of decoding a file: `samples`, or the code of the error. */
function outcomeOf(file: Uint8Array): string {
  try {
    return decodeWav('x', file).samples.length > 0 ? 'samples' : 'nothing';
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}
const samplesOf = (file: Uint8Array) => [...decodeWav('x', file).samples];

describe('a WAV file', () => {
  it.each([
    ['8 bit', { bits: 8 }, [0, 128, 192, 255], [-1, 0, 0.5, 127 / 128]],
    ['16 bit', { bits: 16 }, [0, 0x80, 0, 0, 0, 0x40, 1, 0], [-1, 0, 0.5, 2 ** -15]],
    ['24 bit', { bits: 24 }, [0, 0, 0x80, 0, 0, 0x40, 255, 255, 255], [-1, 0.5, -(2 ** -23)]],
    ['32 bit', { bits: 32 }, [0, 0, 0, 0x80, 0, 0, 0, 0x40, 0, 1, 0, 0], [-1, 0.5, 2 ** -23]],
    ['float', { kind: 3, bits: 32 }, floats([-1.5, 0.25], 32), [-1.5, 0.25]],
    ['double', { kind: 3, bits: 64 }, floats([-1.5, 0.25], 64), [-1.5, 0.25]],
    ['two channels', { channels: 2, bits: 8 }, [0, 128, 192, 128], [-0.5, 0.25]],
    ['three channels', { channels: 3, bits: 8 }, [0, 128, 32], [-7 / 12]],
  ] as const)('of %s gives its samples, mixed to one channel', (_, form, data, samples) => {
    expect(samplesOf(wav(form, data))).toEqual([...Float32Array.from(samples)]);
    expect(samplesOf(riff(chunk('fmt ', extensible(form)), chunk('data', data)))).toEqual([
      ...Float32Array.from(samples),
    ]);
  });

  it('may have other chunks, of odd lengths too, and bytes behind its end', () => {
    const [form, data] = [chunk('fmt ', [...format({ rate: 11025 }), 0, 0]), [0, 0x40]];
    const file = riff(chunk('LIST', [1, 2, 3]), form, chunk('fact', [1]), chunk('data', data));

    const sound = decodeWav('x', Uint8Array.from([...file, 9, 9, 9]));

    expect(sound).toEqual({ sampleRateHz: 11025, samples: Float32Array.of(0.5) });
  });

  it('gives back any 16 bit samples, wherever it lies in a buffer', () => {
    const integers = fc.array(fc.integer({ min: -32768, max: 32767 }), { minLength: 1 });
    fc.assert(
      fc.property(integers, fc.nat(7), (values, offset) => {
        const file = wav({}, [...new Uint8Array(Int16Array.from(values).buffer)]);
        const buffer = new Uint8Array(offset + file.length);
        buffer.set(file, offset);

        expect(samplesOf(buffer.subarray(offset))).toEqual(values.map((value) => value / 32768));
      }),
    );
  });

  it('is refused by name wherever it is cut off', () => {
    const file = wav({}, [1, 2, 3, 4]);
    for (let length = 0; length < file.length; length++) {
      expect(() => decodeWav('zero', file.subarray(0, length))).toThrow(
        expect.objectContaining({
          code: 'signal-invalid',
          message: expect.stringMatching(/^zero is no WAV file that can be read: /),
        }),
      );
    }
  });

  it('never fails but by a refusal, whatever bytes are changed', () => {
    const file = riff(chunk('fmt ', extensible({ channels: 2 })), chunk('data', Array(16).fill(7)));
    const changes = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(changes, (places) => {
        const changed = file.slice();
        for (const [at, byte] of places) changed[at] = byte;
        expect(outcomeOf(changed)).toMatch(/^(samples|signal-invalid)$/);
      }),
      { numRuns: extent(1000, 200) },
    );
  });

  const data = chunk('data', [0, 0]);
  it.each<[string, Uint8Array, string]>([
    ['big-endian', Uint8Array.from(text('RIFX0000WAVE')), 'starts with "RIFX" and "WAVE"'],
    ['mu-law', wav({ kind: 7, bits: 8 }, [0]), 'format 7 of 8 bits, expected format 1'],
    ['12 bits', wav({ bits: 12, frameBytes: 2 }, [0, 0]), 'format 1 of 12 bits'],
    ['float 16', wav({ kind: 3 }, [0, 0]), 'format 3 of 16 bits'],
    ['no channels', wav({ channels: 0 }, [0, 0]), '0 channels at 8000 Hz'],
    ['no rate', wav({ rate: 0 }, [0, 0]), '1 channels at 0 Hz'],
    ['other frames', wav({ frameBytes: 4 }, [0, 0]), 'of 16 bits says 4 bytes'],
    ['half a sample', wav({}, [0, 0, 0]), '3 bytes of samples: expected whole frames of 2'],
    ['no samples', wav({}, []), '0 bytes of samples'],
    ['NaN', wav({ kind: 3, bits: 32 }, floats([0, Number.NaN], 32)), 'frame 1 is NaN'],
    ['no format', riff(data), 'have no "fmt " before them'],
    ['no data', riff(chunk('fmt ', format())), 'it has no chunk "data"'],
    ['two formats', riff(...Array(2).fill(chunk('fmt ', format())), data), 'a second "fmt "'],
    ['a short format', riff(chunk('fmt ', [1, 0]), data), 'its format has 2 bytes'],
    [
      'a short extensible format',
      riff(chunk('fmt ', format({ kind: 0xfffe })), data),
      'its extensible format has 16 bytes, expected at least 40',
    ],
    [
      'a foreign extensible format',
      riff(chunk('fmt ', extensible({}, Array(16).fill(1))), data),
      'is 257 of a family',
    ],
    [
      'four gigabytes in six bytes',
      riff(chunk('fmt ', format()), [...text('data'), ...word(0xffffffff, 4), 0, 0]),
      'chunk "data" at byte 36 says 4294967295 bytes, 2 are left',
    ],
  ])('says what is wrong with it: %s', (_, file, message) => {
    expect(() => decodeWav('x', file)).toThrow(message);
  });
});

describe('a resampled signal', () => {
  const tone = (hz: number, rate: number, length: number) =>
    Float32Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * hz * i) / rate));
  /** Away from the ends, where the signal starts out of nothing. */
  const inner = (samples: Float32Array) => samples.subarray(200, -200);
  const peak = (samples: Float32Array) =>
    samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

  it.each([
    [8000, 16000],
    [16000, 8000],
    [44100, 16000],
    [11025, 8000],
    [8000, 7919],
  ])('from %i to %i Hz is the same tone, sampled there', (from, to) => {
    const length = from / 4;
    const there = resample(tone(440, from, length), from, to);

    const error = there.map((x, i) => x - Math.sin((2 * Math.PI * 440 * i) / to));

    expect(there.length).toBe(Math.ceil((length * to) / from));
    expect(peak(inner(error))).toBeLessThan(1e-3);
  });

  it('keeps a constant, and loses what the new rate cannot hold', () => {
    const constant = inner(resample(new Float32Array(2000).fill(0.5), 16000, 11025));

    expect(peak(constant.map((x) => x - 0.5))).toBeLessThan(1e-6);
    expect(peak(inner(resample(tone(5000, 16000, 4000), 16000, 8000)))).toBeLessThan(1e-3);
  });

  it('is a copy at its own rate, and nothing of nothing', () => {
    const samples = Float32Array.of(1, 2, 3);

    const same = resample(samples, 8000, 8000);

    expect(same).toEqual(samples);
    expect(same).not.toBe(samples);
    expect(resample(new Float32Array(), 8000, 16000)).toHaveLength(0);
  });

  it.each([
    [0, 'sample rate is 0'],
    [8000.5, 'sample rate is 8000.5'],
    [2 ** 21, 'expected at most 1048576'],
  ])('is refused at %d Hz', (rate, message) => {
    expect(() => resample(new Float32Array(1), 8000, rate)).toThrow(message);
  });

  it('is refused where it would not fit into memory', () => {
    expect(() => resample(new Float32Array(2000), 1, 2 ** 20)).toThrow('become 2097152000');
    // A file of 4 kB that says it has one sample a second.
    expect(() => resample(new Float32Array(2000), 1, 16_000)).toThrow('expected at most 16777216');
  });
});
