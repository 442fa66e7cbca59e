import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, formParts } from '../../edge/http/multipart.ts';

const BOUNDARY = 'x-boundary';
const encode = (text: string) => new TextEncoder().encode(text);

interface Field {
  readonly name: string;
  readonly filename: string | undefined;
  readonly bytes: Uint8Array;
}

function formOf(fields: readonly Field[]): Uint8Array {
  const chunks = fields.flatMap(({ name, filename, bytes }) => [
    encode(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
        `${filename === undefined ? '' : `; filename="${filename}"`}\r\nX-Other: 1\r\n\r\n`,
    ),
    bytes,
    encode('\r\n'),
  ]);
  return Buffer.concat([...chunks, encode(`--${BOUNDARY}--\r\n`)]);
}

/** The form in pieces of the given lengths, over and over. */
async function* inPieces(form: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < form.byteLength; i++) {
    const length = lengths[i % lengths.length]!;
    yield form.subarray(at, at + length);
    at += length;
  }
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Field[]> {
  const fields: Field[] = [];
  for await (const { name, filename, content } of formParts(pieces, BOUNDARY)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(Uint8Array.from(chunk));
    fields.push({ name, filename, bytes: Uint8Array.from(Buffer.concat(chunks)) });
  }
  return fields;
}

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
// Bytes that often look like the start of a delimiter.
const content = fc
  .array(
    fc.constantFrom('\r', '\n', '\r\n', '--', '\r\n--', '\r\n--x', '\r\n--x-bound', 'a', '\0'),
    {
      maxLength: 20,
    },
  )
  .map((pieces) => encode(pieces.join('')));
const field = fc.record({ name, filename: fc.option(name, { nil: undefined }), bytes: content });
const emptyFields = (count: number) =>
  formOf(
    Array.from({ length: count }, () => ({ name: 'a', filename: undefined, bytes: encode('') })),
  );
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('a form', () => {
  it('gives back its fields, wherever the network cuts it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 4 }), lengths, async (fields, pieces) => {
        expect(await readAll(inPieces(formOf(fields), pieces))).toEqual(fields);
      }),
      { seed: 7578, numRuns: 500 },
    );
  });

  it('passes over the content of a part that was not read', async () => {
    const fields = [
      { name: 'a', filename: undefined, bytes: encode('1'.repeat(500)) },
      { name: 'b', filename: undefined, bytes: encode('2') },
    ];

    const names: string[] = [];
    for await (const part of formParts(inPieces(formOf(fields), [7]), BOUNDARY))
      names.push(part.name);

    expect(names).toEqual(['a', 'b']);
  });

  it('that is cut off anywhere is an error, not a shorter form', async () => {
    const whole = formOf([{ name: 'file', filename: 'a.bin', bytes: encode('0123456789') }]);
    // The line break after the last mark is not part of the form.
    for (let length = 0; length < whole.byteLength - 2; length++) {
      await expect(readAll(inPieces(whole.subarray(0, length), [16]))).rejects.toMatchObject({
        code: 'validation_failed',
      });
    }
  });

  it.each([
    ['no name', `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`],
    ['no disposition', `--${BOUNDARY}\r\nX: 1\r\n\r\nx\r\n--${BOUNDARY}--`],
    ['a head without an end', `--${BOUNDARY}\r\nX: ${'1'.repeat(10_000)}`],
    ['another boundary', '--other\r\n\r\n\r\n--other--'],
    ['nothing', ''],
  ])('with %s is refused', async (_, text) => {
    await expect(readAll(inPieces(encode(text), [64]))).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('has at most 16 parts', async () => {
    expect(await readAll(inPieces(emptyFields(16), [64]))).toHaveLength(16);
    await expect(readAll(inPieces(emptyFields(17), [64]))).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('may quote its names and put text before the first boundary', async () => {
    const text = [
      'a preamble',
      `--${BOUNDARY}  `,
      'content-disposition: form-data; filename="a; name=\\"b\\""; name=file',
      '',
      'x',
      `--${BOUNDARY}--`,
    ].join('\r\n');

    const [only] = await readAll(inPieces(encode(text), [5]));

    expect(only).toMatchObject({ name: 'file', filename: 'a; name="b"', bytes: encode('x') });
  });
});

describe('a boundary', () => {
  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=utf-8; Boundary="a b"', 'a b'],
  ])('is found in %s', (type, expected) => {
    expect(boundaryOf(type)).toBe(expected);
  });

  it('that is missing is an error', () => {
    expect(() => boundaryOf('multipart/form-data')).toThrow('without a boundary');
  });
});
