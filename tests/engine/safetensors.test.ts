import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeSafetensors,
  encodeSafetensors,
  type SafetensorsDType,
  type SafetensorsEntry,
  type SafetensorsFile,
} from '../../engine/checkpoint/safetensors.ts';
import { EngineError } from '../../engine/errors.ts';

const ARRAYS = {
  F32: Float32Array,
  U32: Uint32Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
} as const;

const entries = fc
  .tuple(
    fc.constantFrom<SafetensorsDType>('F32', 'U32', 'I32', 'I16', 'I8'),
    fc.array(fc.nat(4), { maxLength: 3 }),
    fc.array(fc.nat(0xffffffff), { minLength: 64, maxLength: 64 }),
  )
  .map(([dtype, shape, words]): SafetensorsEntry => {
    const count = shape.reduce((a, b) => a * b, 1);
    // Any bits at all, so that numbers that are no numbers are among them.
    const data = new ARRAYS[dtype](Uint32Array.from(words).buffer).slice(0, count);
    return { dtype, shape, data };
  });
const names = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '7', 'a.b'));
const files: fc.Arbitrary<SafetensorsFile> = fc.record({
  tensors: fc
    .array(fc.tuple(names, entries), { maxLength: 6 })
    .map((list) => new Map(list.filter(([name]) => name !== '__metadata__'))),
  metadata: fc.dictionary(names, fc.string({ unit: 'binary' })),
});

const small = encodeSafetensors({
  tensors: new Map([
    ['w', { dtype: 'F32', shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) }],
    ['ids', { dtype: 'U32', shape: [2], data: Uint32Array.of(7, 8) }],
  ]),
  metadata: { format: 'test' },
});

describe('a safetensors file', () => {
  it('gives back the tensors and the metadata that were written, bit for bit', () => {
    fc.assert(
      fc.property(files, (file) => {
        const read = decodeSafetensors(encodeSafetensors(file), 'file');

        expect({ ...read.metadata }).toEqual({ ...file.metadata });
        expect(new Set(read.tensors.keys())).toEqual(new Set(file.tensors.keys()));
        for (const [name, { dtype, shape, data }] of file.tensors) {
          const found = read.tensors.get(name)!;
          expect([found.dtype, found.shape]).toEqual([dtype, shape]);
          expect(bytesOf(found.data)).toEqual(bytesOf(data));
        }
      }),
    );
  });

  it('starts its data at a multiple of eight bytes', () => {
    fc.assert(
      fc.property(files, (file) => {
        const header = new DataView(encodeSafetensors(file).buffer).getBigUint64(0, true);
        expect(header % 8n).toBe(0n);
      }),
    );
  });

  it('can lie anywhere in a larger buffer, and its tensors do not share it', () => {
    const buffer = new Uint8Array(small.length + 7);
    buffer.set(small, 3);

    const { tensors } = decodeSafetensors(buffer.subarray(3, 3 + small.length), 'file');
    buffer.fill(0xff);

    expect(tensors.get('w')!.data).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  });

  it('is read as others write it: tensors in any order, spaces, data at odd places', () => {
    const header =
      ' { "last" : {"data_offsets":[16,20],"shape":[],"dtype":"I32"},\n' +
      '"none":{"dtype":"F32","shape":[0,3],"data_offsets":[8,8]},' +
      '"first":{"dtype":"U32","shape":[1,2],"data_offsets":[0,8]},' +
      '"\u00FCber":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]}}     ';
    const data = new Uint8Array(20);
    const view = new DataView(data.buffer);
    view.setUint32(0, 0xfffffffe, true);
    view.setUint32(4, 5, true);
    view.setFloat32(8, -1.5, true);
    view.setFloat32(12, 2.25, true);
    view.setInt32(16, -9, true);
    const file = fileOf(header, data);
    // Eight bytes of length and an odd header: no number in the file is aligned.
    expect((8 + new TextEncoder().encode(header).length) % 4).toBe(1);

    const { tensors, metadata } = decodeSafetensors(file, 'other.safetensors');

    expect(metadata).toEqual({});
    expect(Object.fromEntries(tensors)).toEqual({
      first: { dtype: 'U32', shape: [1, 2], data: Uint32Array.of(0xfffffffe, 5) },
      none: { dtype: 'F32', shape: [0, 3], data: new Float32Array() },
      '\u00FCber': { dtype: 'F32', shape: [2, 1], data: Float32Array.of(-1.5, 2.25) },
      last: { dtype: 'I32', shape: [], data: Int32Array.of(-9) },
    });
  });
});

describe('a damaged safetensors file', () => {
  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < small.length; length++) {
      expect(outcomeOf(small.slice(0, length)), `cut off at ${length}`).toBe('refused');
    }
  });

  it('is refused when anything follows the data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (tail) => {
        expect(outcomeOf(Uint8Array.from([...small, ...tail]))).toBe('refused');
      }),
    );
  });

  it('is refused or still a valid file, whichever byte of its header becomes whichever other', () => {
    const headerBytes = 8 + Number(new DataView(small.buffer).getBigUint64(0, true));
    const counts = { refused: 0, valid: 0 };
    for (let at = 0; at < headerBytes; at++) {
      const altered = small.slice();
      for (let value = 0; value < 256; value++) {
        altered[at] = value;
        counts[outcomeOf(altered)]++;
      }
    }

    expect(counts.refused + counts.valid).toBe(256 * headerBytes);
    // Every byte once has its own value; a few dozen others stand in names and metadata.
    expect(counts.valid).toBeGreaterThan(headerBytes);
    expect(counts.refused).toBeGreaterThan(counts.valid);
  });

  it('is refused or valid when it is made of random bytes behind a plausible length', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ maxLength: 40 }), (header, data) => {
        expect(['refused', 'valid']).toContain(outcomeOf(fileOf(header, data)));
      }),
    );
  });

  it.each([
    [
      '{"w":{"dtype":"F16","shape":[4],"data_offsets":[0,8]}}',
      'w has dtype F16: expected F32, U32, I32, I16, I8',
    ],
    [
      '{"w":{"shape":[2],"data_offsets":[0,8]}}',
      'w has dtype undefined: expected F32, U32, I32, I16, I8',
    ],
    ['{"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}', 'w has shape [-2]'],
    ['{"w":{"dtype":"F32","shape":"2","data_offsets":[0,8]}}', 'w has shape "2"'],
    ['{"w":{"dtype":"F32","shape":[2],"data_offsets":[8]}}', 'w has offsets [8]'],
    [
      '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}',
      'w of shape [2] needs 8 bytes, has 4',
    ],
    [
      '{"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}',
      'w of shape [2] needs 8 bytes, has -8',
    ],
    [
      '{"w":{"dtype":"F32","shape":[9007199254740991,9007199254740991],"data_offsets":[0,8]}}',
      'w of shape [9007199254740991, 9007199254740991] needs 3.24',
    ],
    ['{"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', 'w starts at 4, expected 0'],
    [
      '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"x":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
      'x starts at 4, expected 8',
    ],
    ['{"w":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}', 'bytes, expected at least'],
    ['{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 'bytes, its header describes'],
    ['{"w":7}', 'w has no description'],
    [
      '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":[]}',
      'the metadata is not an object',
    ],
    [
      '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"__metadata__":{"a":1}}',
      'the metadata has values that are not text',
    ],
    ['[]', 'the header is not an object'],
    ['{"w"', 'the header is not JSON'],
  ])('is refused saying what is wrong: %s', (header, message) => {
    expect(() => decodeSafetensors(fileOf(header, new Uint8Array(8)), 'bad.safetensors')).toThrow(
      expect.objectContaining({
        code: 'checkpoint-damaged',
        message: expect.stringMatching(/^bad\.safetensors: /),
      }),
    );
    expect(() => decodeSafetensors(fileOf(header, new Uint8Array(8)), 'bad.safetensors')).toThrow(
      message,
    );
  });
});

/** Decodes and checks what comes out; throws what no caller would expect. */
function outcomeOf(file: Uint8Array): 'refused' | 'valid' {
  try {
    for (const { dtype, shape, data } of decodeSafetensors(file, 'file').tensors.values()) {
      const count = shape.reduce((a, b) => a * b, 1);
      if (!(data instanceof ARRAYS[dtype]) || data.length !== count) {
        throw new TypeError(`${dtype} [${shape.join(', ')}] has ${data.length} elements`);
      }
    }
    return 'valid';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'checkpoint-damaged') return 'refused';
    throw error;
  }
}

/** A file of a header as it stands and data. */
function fileOf(header: string, data: Uint8Array): Uint8Array {
  const json = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + json.length + data.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  file.set(data, 8 + json.length);
  return file;
}

function bytesOf(data: SafetensorsEntry['data']): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
}
