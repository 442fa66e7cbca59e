import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRangeCurrent, preconditionOf } from '../../edge/http/conditional.ts';
import { rangeOf } from '../../edge/http/range.ts';

const part = (from: number, to: number) => ({ kind: 'part', range: { from, to } });

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-499', part(0, 499)],
    ['bytes=500-', part(500, 999)],
    ['bytes=-200', part(800, 999)],
    ['bytes=-2000', part(0, 999)],
    ['bytes=999-5000', part(999, 999)],
    ['BYTES=1-2', part(1, 2)],
    ['bytes=1000-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    [`bytes=${'9'.repeat(400)}-`, { kind: 'unsatisfiable' }],
  ])('%s of 1000 bytes', (header, expected) => {
    expect(rangeOf(header, 1000)).toEqual(expected);
  });

  // RFC 9110, section 14.2: what a server does not take it ignores.
  it.each([
    null,
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'items=0-1',
    'bytes=0-1,4-5',
    'bytes',
  ])('that reads %j means the whole file', (header) => {
    expect(rangeOf(header, 1000)).toEqual({ kind: 'whole' });
  });

  it('of an empty file cannot be satisfied', () => {
    expect(rangeOf('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
    expect(rangeOf('bytes=-5', 0)).toEqual({ kind: 'unsatisfiable' });
  });

  it('selects the bytes that slicing selects', () => {
    const bounds = fc.record({
      size: fc.integer({ min: 1, max: 64 }),
      from: fc.nat(80),
      length: fc.nat(80),
    });
    fc.assert(
      fc.property(bounds, ({ size, from, length }) => {
        const bytes = Array.from({ length: size }, (_, i) => i);
        const answer = rangeOf(`bytes=${from}-${from + length}`, size);
        const selected =
          answer.kind === 'part' ? bytes.slice(answer.range.from, answer.range.to + 1) : [];
        expect(selected).toEqual(bytes.slice(from, from + length + 1));
      }),
      { seed: 14 },
    );
  });
});

describe('a precondition', () => {
  const etag = '"sha256:ab"';
  const verdict = (headers: Record<string, string>) => preconditionOf(new Headers(headers), etag);

  it.each([
    [{}, 'proceed'],
    [{ 'if-none-match': etag }, 'not-modified'],
    [{ 'if-none-match': `W/${etag}` }, 'not-modified'],
    [{ 'if-none-match': `"x", ${etag}` }, 'not-modified'],
    [{ 'if-none-match': '*' }, 'not-modified'],
    [{ 'if-none-match': '"x"' }, 'proceed'],
    [{ 'if-match': etag }, 'proceed'],
    [{ 'if-match': '*' }, 'proceed'],
    [{ 'if-match': `W/${etag}` }, 'failed'],
    [{ 'if-match': '"x"', 'if-none-match': etag }, 'failed'],
  ])('%j', (headers, expected) => {
    expect(verdict(headers)).toBe(expected);
  });

  it('of a range holds for the very same bytes only', () => {
    const isCurrent = (value: string) => isRangeCurrent(new Headers({ 'if-range': value }), etag);

    expect(isCurrent(etag)).toBe(true);
    expect(isCurrent('"x"')).toBe(false);
    expect(isCurrent(`W/${etag}`)).toBe(false);
    expect(isCurrent('Fri, 20 Nov 2026 10:00:00 GMT')).toBe(false);
    expect(isRangeCurrent(new Headers(), etag)).toBe(true);
  });
});
