import { describe, expect, it } from 'vitest';
import { energyIn } from '../../../../web/i18n/energy.ts';
import { latencyOf } from '../../../../web/screens/playground/answer/latency.ts';
import { rasterBuffer } from '../../../../web/screens/playground/answer/raster-buffer.ts';
import { diffTexts, type Piece } from '../../../../web/screens/playground/answer/text-diff.ts';
import { spikeCounts } from '../../../../web/widgets/buffers/spike-buffer.ts';
import { fc } from '../../seeded.ts';

const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('');
const sameOf = (pieces: readonly Piece[]) => textOf(pieces.filter(({ kind }) => kind === 'same'));

describe('two answers beside each other', () => {
  it('mark what the other one lacks', () => {
    const diff = diffTexts('the cat sat', 'the bat sat on');

    expect(diff.left).toEqual([
      { text: 'the ', kind: 'same' },
      { text: 'c', kind: 'differs' },
      { text: 'at sat', kind: 'same' },
    ]);
    expect(diff.right.filter(({ kind }) => kind === 'differs').map(({ text }) => text)).toEqual([
      'b',
      ' on',
    ]);
    expect(diff).toMatchObject({ differing: 4, agreed: 4 });
  });

  it('differ in nothing where they are the same, or both empty', () => {
    expect(diffTexts('ab', 'ab')).toEqual({
      left: [{ text: 'ab', kind: 'same' }],
      right: [{ text: 'ab', kind: 'same' }],
      differing: 0,
      agreed: 2,
    });
    expect(diffTexts('', '')).toEqual({ left: [], right: [], differing: 0, agreed: 0 });
  });

  it('keep both texts whole and agree on what is the same, whatever they are', () => {
    // Few letters, so that much is the same; two of them are more than one UTF-16 unit or byte.
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '漢', '😀'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const diff = diffTexts(a, b);

        expect([textOf(diff.left), textOf(diff.right)]).toEqual([a, b]);
        expect(sameOf(diff.left)).toBe(sameOf(diff.right));
      }),
    );
  });

  it('give up on the middle of very long texts', () => {
    const diff = diffTexts(`x${'a'.repeat(3_000)}y`, `x${'b'.repeat(3_000)}y`);

    expect(diff.left.map(({ kind }) => kind)).toEqual(['same', 'differs', 'same']);
    expect(diff.differing).toBe(3_000);
  });
});

describe('where the time went', () => {
  it('adds up to what this page saw', () => {
    const { parts, total } = latencyOf({ queue_ms: 5, compute_ms: 80, total_ms: 95 }, 120);

    expect(parts).toEqual({ queue: 5, compute: 80, server: 10, network: 25 });
    expect(total).toBe(120);
  });

  it('has no part below nothing where two clocks disagree', () => {
    const { parts } = latencyOf({ queue_ms: 1, compute_ms: 10, total_ms: 10.5 }, 10);

    expect(parts).toEqual({ queue: 1, compute: 10, server: 0, network: 0 });
  });
});

describe('energy', () => {
  it.each([
    [0, 0, 'pJ'],
    [0.5, 0.5, 'pJ'],
    [999, 999, 'pJ'],
    [12_300, 12.3, 'nJ'],
    [4.6e7, 46, 'µJ'],
    [3e18, 3e6, 'J'],
  ])('%d pJ is %d %s', (picojoules, value, unit) => {
    const energy = energyIn(picojoules);

    expect(energy.unit).toBe(unit);
    expect(energy.value).toBeCloseTo(value, 6);
  });
});

describe('the spikes of an answer', () => {
  const layer = (neurons: number, rows: readonly (readonly number[])[]) => ({
    layer: 'blocks.0.in1',
    neurons,
    times: rows.length,
    bits: Buffer.from(Uint32Array.from(rows.flat()).buffer).toString('base64'),
  });

  it('are the neurons that fired at each time', () => {
    const buffer = rasterBuffer(
      layer(33, [
        [0b1, 1],
        [0, 0],
        [0x8000_0001, 0],
      ]),
    )!;

    const counts = spikeCounts(buffer, { from: 0, to: 3 });

    expect([counts[0], counts[1], counts[31], counts[32]]).toEqual([2, 0, 1, 1]);
  });

  it('are none where the bytes are too few, or nothing was read', () => {
    expect(rasterBuffer({ ...layer(33, [[1, 1]]), times: 2 })).toBeNull();
    expect(rasterBuffer(layer(33, []))).toBeNull();
  });
});
