import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../../../edge/test-runs/contract/test-run.ts';
import { createOutputFeed } from '../../../../web/screens/test-runs/output-feed.ts';
import { endOf } from '../../../../web/screens/test-runs/output-end.ts';

const frame = (event: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const piece = (text: string) => ({ stream: 'stdout' as const, text });

const run: TestRun = {
  run_id: 'run_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
  test_type: 'unit',
  status: 'passed',
  message: 'All tests passed.',
  returncode: 0,
  truncated: false,
  started_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 12,
  summary: { passed: 3, failed: 0, skipped: 0 },
  started_by: { kind: 'local', id: null },
};

/** Follows a run whose connections return these streams in turn; yields the requests and the output. */
async function follow(...streams: readonly string[]) {
  const asked: string[] = [];
  const left = [...streams];
  const feed = createOutputFeed(async (after) => {
    asked.push(after);
    return new Response(left.shift());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  feed.subscribe(() => feed.link.status === 'over' && resolve());
  feed.follow();
  await promise;
  return { asked, feed, text: feed.pieces.map(({ text }) => text).join('') };
}

describe('the output of a run', () => {
  it('goes on after a cut where it was, and ends with the run', async () => {
    const { asked, feed, text } = await follow(
      frame('output', piece('one '), 1),
      frame('output', piece('two'), 2) + frame('done', run),
    );

    expect(asked).toEqual(['', '1']);
    expect(text).toBe('one two');
    expect(feed.ended?.status).toBe('passed');
    expect(feed.isCut).toBe(false);
  });

  it('of a run that has ended is not duplicated when it is sent again', async () => {
    const told = frame('output', piece('whole'));
    const { text } = await follow(told, told + frame('done', run));

    expect(text).toBe('whole');
  });

  it('says where some of it was dropped', async () => {
    const { feed } = await follow(frame('gap', { dropped: 3 }) + frame('done', run));

    expect(feed.isCut).toBe(true);
  });
});

describe('the end of an output', () => {
  const pieces = ['abc', 'def', 'g'].map(piece);

  it.each([
    [100, ['abc', 'def', 'g'], false],
    [7, ['abc', 'def', 'g'], false],
    [4, ['def', 'g'], true],
    [3, ['ef', 'g'], true],
  ])('of at most %i characters', (most, texts, isShortened) => {
    const end = endOf(pieces, most);

    expect(end.pieces.map(({ text }) => text)).toEqual(texts);
    expect(end.isShortened).toBe(isShortened);
  });
});
