import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests of the edge write down which answers they were given. */
    readonly answersFolder: string;
  }
}

/** Gives the tests of one run a folder, which the check after them reads. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-answers-'));
  project.vitest.provide('answersFolder', folder);
  return () => rmSync(folder, { recursive: true });
}
