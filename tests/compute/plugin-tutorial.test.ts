import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRoot } from './plugin-folders.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const tutorial = readFileSync(join(checkout, 'docs/tutorials/write-a-plugin.md'), 'utf8');

interface Block {
  readonly kind: string;
  /** The file it is to be put into. */
  readonly file: string | undefined;
  readonly text: string;
}

/** The code blocks that the reader of the tutorial types, in order. */
const blocks: readonly Block[] = Array.from(
  tutorial.matchAll(/^```(\w+)(?: file=(\S+))?\n(.*?)^```/gms),
  ([, kind = '', file, text = '']) => ({ kind, file, text }),
);

const folder = makeRoot();
afterAll(() => rmSync(folder, { recursive: true }));

/** Types the commands of a block; `npm run` is what it starts, so that the folder is this one. */
function type({ text }: Block): string {
  const cli = `"${process.execPath}" "${join(checkout, 'dist/node/spikegrid.js')}"`;
  const script = text
    .replaceAll('npm run -s spikegrid --', cli)
    .replaceAll(/^node /gm, `"${process.execPath}" `);
  return execFileSync('/bin/sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' });
}

describe('the tutorial of plugins', () => {
  it('leads from an empty folder to spikes', () => {
    let said = '';
    for (const block of blocks) {
      if (block.file !== undefined) {
        mkdirSync(dirname(join(folder, block.file)), { recursive: true });
        writeFileSync(join(folder, block.file), block.text);
      } else if (block.kind === 'sh') said += type(block);
    }

    const [checked = '', rates = ''] = blocks
      .filter(({ kind }) => kind === 'text')
      .map(({ text }) => text.trim());
    expect(said).toContain(checked);
    expect(said).toContain(rates);
  });
});
