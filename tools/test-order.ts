import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, first: one that begins last leaves the other processes idle. */
const LONGEST = `
  kernels jobs recurrent trainer plugin-attacks training training-server train training-time property
  brain logs geo-failover golden batched-generation nir-export inference-models training-memory
`
  .trim()
  .split(/\s+/);

/**
 * Vitest puts first what took longest the last time. On a fresh checkout it knows of none, and takes
 * the size of a file for its time. Files of one project follow each other, as they share processes;
 * the project with the longest file comes first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files);
    const ranked = sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
    return [...Map.groupBy(ranked, ({ project }) => project).values()].flat();
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return rank < 0 ? LONGEST.length : rank;
}
