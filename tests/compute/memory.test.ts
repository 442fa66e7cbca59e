import { afterAll, beforeAll, expect, it } from 'vitest';
import { WholeMemory } from '../../edge/memory/contract/memory.ts';
import { type OwnPlane, startOwnPlane } from './own-plane.ts';
import { runSpikegrid } from './spikegrid-process.ts';

let plane: OwnPlane;
beforeAll(async () => {
  plane = await startOwnPlane();
});
afterAll(() => plane.end());

const memory = (...args: readonly string[]) =>
  runSpikegrid('memory', ...args, '--gateway', plane.gateway);

it('spikegrid memory stores, finds, explains, exports and erases', async () => {
  const stored = await memory(
    'store',
    'フィルターの詰まりが原因でポンプが過熱した。',
    '--user',
    'mori',
  );
  expect(stored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^mem_\w{26}\n {4}.*—causes→/),
  });

  const found = await memory('retrieve', 'ポンプ', '--top', '3');
  expect(found.stdout).toMatch(/^0\.\d{3} {2}\S+Z {2}フィルターの詰まり/);

  const asked = await memory('ask', 'なぜポンプが過熱した？', '--json');
  expect(JSON.parse(asked.stdout)).toMatchObject({
    metadata: { edge_count: 1, languages: ['ja'] },
  });

  const exported = await memory('export', '--user', 'mori');
  expect(WholeMemory.parse(JSON.parse(exported.stdout)).causal_edges).toHaveLength(1);

  const erased = await memory('erase', 'mori', '--all');
  expect(erased.stderr).toContain('erased 1 memories of mori in default');
  expect((await memory('export')).stdout).toBe('');
});

it('spikegrid memory says in a line what is wrong', async () => {
  const nowhere = await memory('retrieve', 'x', '--namespace', 'nowhere');
  const hops = await memory('ask', 'x', '--hops', '9');

  expect(nowhere).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no namespace "nowhere"'),
  });
  expect(hops).toMatchObject({ code: 1, stderr: expect.stringContaining('from 0 to 4') });
});

it('spikegrid shows control characters of others by their numbers, in answers and in refusals', async () => {
  const steering = 'steer \u001b]0;title\u0007 the \u009b2J terminal \u202e back\r';
  await memory('store', steering);

  const shown = [
    await memory('retrieve', 'steer terminal'),
    await memory('retrieve', 'steer terminal', '--json'),
    await memory('ask', 'steer terminal'),
    await memory('retrieve', 'x', '--namespace', 'a\u001b[2Jb'),
  ].map(({ stdout, stderr }) => stdout + stderr);

  expect(shown.filter((text) => /(?!\n)[\p{Cc}\p{Bidi_Control}]/u.test(text))).toEqual([]);
  expect(shown.join('')).toContain(
    String.raw`steer \u001b]0;title\u0007 the \u009b2J terminal \u202e back`,
  );
});
