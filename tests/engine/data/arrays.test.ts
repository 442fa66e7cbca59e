import { describe, expect, it } from 'vitest';
import { csvNumbers, parseCsv } from '../../../engine/data/arrays/csv.ts';
import { parseNpy, parseNpz } from '../../../engine/data/arrays/npy.ts';
import { refuseFile } from '../../../engine/data/files/bounded-reader.ts';
import { unpackLz4 } from '../../../engine/data/files/lz4.ts';
import { expected, goldenFile } from './golden.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const refusal = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'dataset-invalid',
    message:
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
  });

/** The same file with another text of the same length in its header. */
function withHeader(file: Uint8Array, from: string, to: string): Uint8Array {
  const at = Buffer.from(file).indexOf(from);
  expect(at).toBeGreaterThan(0);
  const changed = file.slice();
  changed.set(bytesOf(to.padEnd(from.length)), at);
  return changed;
}

describe('NumPy arrays', () => {
  it('have the numbers and shapes that NumPy wrote, of every type and byte order', async () => {
    const arrays = await parseNpz('arrays.npz', goldenFile('arrays.npz'));

    expect([...arrays.keys()].toSorted()).toEqual(Object.keys(expected.npz).toSorted());
    for (const [name, { shape, data }] of Object.entries(expected.npz)) {
      const found = arrays.get(name)!;
      expect(found.shape, name).toEqual(shape);
      const numbers = data.map((text) => Number(text.replace('inf', 'Infinity')));
      expect([...found.data], name).toEqual(numbers.map(Math.fround));
    }
  });

  it.each([1, 2, 3])('of version %i in Fortran order come in C order', (version) => {
    const { shape, data } = parseNpy('a.npy', goldenFile(`version${version}.npy`));

    expect(shape).toEqual([2, 3, 4]);
    expect(data).toBeInstanceOf(Int32Array);
    expect([...data]).toEqual(Array.from({ length: 24 }, (_, i) => i));
  });

  it('of an archive that is not packed are read, too', async () => {
    const arrays = await parseNpz('stored.npz', goldenFile('stored.npz'));

    expect([...arrays.get('y')!.data]).toEqual([3, 1, 2]);
  });

  const file = goldenFile('version1.npy');

  it.each([
    ['an object array', withHeader(file, "'<i4'", "'|O'"), 'the type is "|O", expected a number'],
    [
      'a record',
      withHeader(file, "'descr': '<i4'", "'descr': [('"),
      'expected descr, fortran_order, shape',
    ],
    [
      'a shape too large',
      withHeader(file, '(2, 3, 4)', '(2, 3, 9)'),
      '96 bytes of numbers follow, expected 216',
    ],
    [
      'a shape beyond counting',
      withHeader(file, '(2, 3, 4)', '(9e9, 3)'),
      'of an array of numbers',
    ],
    ['another version', file.with(6, 4), 'at byte 6 the version is 4, expected 1 to 3'],
    ['a header beyond the file', file.with(9, 200), /at byte 10 the file of \d+ bytes ends/],
    ['no signature', file.with(0, 0), 'at byte 0 the signature is missing'],
    ['nothing', new Uint8Array(), 'at byte 0 the signature is missing'],
  ])('with %s are refused', (_, changed, message) => {
    expect(() => parseNpy('a.npy', changed)).toThrow(refusal(message));
  });

  it('of whole numbers that 32 bits cannot hold are refused by their place', () => {
    const numbers = new Uint8Array(new BigInt64Array([1n, 2n ** 31n]).buffer);
    const header = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n";
    const bytes = Uint8Array.of(
      ...file.subarray(0, 8),
      header.length,
      0,
      ...bytesOf(header),
      ...numbers,
    );

    expect(() => parseNpy('a.npy', bytes)).toThrow(
      refusal('at element 1 the value is 2147483648, expected a number that fits 32 bits'),
    );
  });
});

describe('CSV', () => {
  it('has the fields that went into the csv module of Python', () => {
    const table = parseCsv('quoted.csv', goldenFile('quoted.csv'));

    expect([table.columns, ...table.records]).toEqual(expected.csv);
  });

  it('gives columns of numbers by name, and classes in the order of their names', () => {
    const table = parseCsv('quoted.csv', goldenFile('quoted.csv'));

    const numbers = csvNumbers(table, {
      inputs: ['petal', 'sepal, length'],
      label: 'the "species"',
    });

    expect([...numbers.x]).toEqual([1e-3, 5.1, 2, -4.9, 3.5, 0, -0.25, 1000].map(Math.fround));
    expect(numbers.classNames).toEqual(['setosa', 'virginica', '犬']);
    expect([...numbers.labels]).toEqual([0, 1, 0, 2]);
  });

  it('without a header names columns by their number and keeps classes that are numbers', () => {
    const table = parseCsv('a.csv', bytesOf('\ufeff1;2;2\r\n\r\n3;4;0'), {
      delimiter: ';',
      hasHeader: false,
    });

    expect(csvNumbers(table, { label: '2' })).toEqual({
      x: Float32Array.of(1, 2, 3, 4),
      inputs: ['0', '1'],
      labels: Uint32Array.of(2, 0),
      classNames: ['0', '1', '2'],
    });
  });

  it.each([
    ['a,b\n1,2\n3', 'at line 3 the record has 1 fields, expected 2'],
    ['a,b\n"1\n\n2,3', 'at line 2 a quote is not closed'],
    ['a,b\n"x"y,3', 'at line 2 "y" follows a field'],
    ['a,b\nx"y,3', 'at line 2 "\\"" follows a field'],
    ['a,a\n1,2', 'at line 1 two columns are "a"'],
    ['\n\n', 'at line 1 the file is empty'],
  ])('%j is refused by its line', (text, message) => {
    expect(() => parseCsv('a.csv', bytesOf(text))).toThrow(refusal(message));
  });

  it.each(['x', '0x10', '1e999', 'NaN', '1,5', ' '])('refuses %j as a number', (field) => {
    const table = parseCsv('a.csv', bytesOf(`n\n1\n"${field}"\n`));

    expect(() => csvNumbers(table)).toThrow(
      refusal(`at record 2, column "n" the field is ${JSON.stringify(field)}, expected a number`),
    );
  });

  it('refuses a column that is not there, and text that is no UTF-8', () => {
    const table = parseCsv('a.csv', bytesOf('n,m\n1,2'));

    expect(() => csvNumbers(table, { inputs: ['k'] })).toThrow(
      refusal('at its columns 2 are named n, m, expected "k"'),
    );
    expect(() => parseCsv('a.csv', Uint8Array.of(0x61, 0xff))).toThrow(refusal('expected UTF-8'));
  });
});

describe('an LZ4 frame', () => {
  const refuse = refuseFile('a', 'LZ4');

  it('of blocks that refer to each other gives what the library of LZ4 packed', async () => {
    const bytes = unpackLz4(goldenFile('linked.lz4'), 2 ** 20, refuse);
    const digest = await crypto.subtle.digest('SHA-256', bytes.slice());

    expect(bytes).toHaveLength(expected.lz4.bytes);
    expect(Buffer.from(digest).toString('hex')).toBe(expected.lz4.sha256);
  });

  it('is refused before it unpacks to more than may be', () => {
    expect(() => unpackLz4(goldenFile('linked.lz4'), 100_000, refuse)).toThrow(
      refusal(/it unpacks to \d+ bytes or more, expected at most 100000/),
    );
  });
});
