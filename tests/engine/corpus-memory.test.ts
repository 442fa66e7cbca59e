import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemoryReport } from './corpus-memory-process.ts';
import { randomSource } from './random.ts';

const run = promisify(execFile);
const MEBI = 1 << 20;

describe('memory for a text on disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spikegrid-corpus-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('grows by less than its 100 MB when a text grows fiftyfold, scanned and sampled', async () => {
    const block = new TextEncoder().encode(prose(2 * MEBI));
    const small = await measure(await write(join(folder, 'small.txt'), block, 1));
    const large = await measure(await write(join(folder, 'large.txt'), block, 50));

    expect(large.bytes).toBe(50 * small.bytes);
    expect(large.characters).toBe(50 * small.characters);
    // The small text is one group of segments; the large one is walked through from end to end.
    expect(small.segmentsRead).toBe(1);
    expect(large.segmentsRead).toBeGreaterThan(50);
    expect(large.peakBytes - small.peakBytes).toBeLessThan(90e6);
  });
});

/** Prose in several scripts, so that characters are one to four bytes long. */
function prose(bytes: number): string {
  const words = ['whale ', 'sea ', 'the ', 'harpoon,\n', 'über ', '鯨は ', 'кит ', '\u{1F433} '];
  const picks = randomSource(5).integers(bytes / 6, words.length);
  return Array.from(picks, (i) => words[i]).join('');
}

async function write(path: string, block: Uint8Array, times: number): Promise<string> {
  const file = await open(path, 'w');
  for (let i = 0; i < times; i++) await file.write(block);
  await file.close();
  return path;
}

/** A process of its own, whose peak is that of the corpus alone. */
async function measure(path: string): Promise<MemoryReport> {
  const script = fileURLToPath(new URL('corpus-memory-process.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [script, path]);
  return JSON.parse(stdout) as MemoryReport;
}
