import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where tests write down which answers they were given; there is none where those of the edge do not run. */
    readonly answersFolder: string | undefined;
  }
}

let own: string | undefined;

/**
 * Gives the tests of one run a folder, which the check after them reads; `npm test`, which runs them in
 * several processes, has one for all.
 */
export function setup(project: TestProject): () => void {
  const given = process.env['SPIKEGRID_ANSWERS'];
  own ??= given ?? mkdtempSync(join(tmpdir(), 'spikegrid-answers-'));
  project.vitest.provide('answersFolder', own);
  return () => given ?? rmSync(own ?? '', { recursive: true, force: true });
}
