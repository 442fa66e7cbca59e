import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take longest, first: a long file that begins last leaves the other processes idle. */
const LONGEST = [
  'kernels',
  'training',
  'trainer',
  'jobs',
  'training-server',
  'train',
  'training-time',
  'property',
  'plugin-attacks',
  'brain',
  'logs',
  'geo-failover',
];

/**
 * Vitest puts first what took longest the last time. On a fresh checkout it knows of none, and takes
 * the size of a file for its time.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project);
    return [...byProject.values()].flatMap((those) =>
      those.toSorted((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return rank < 0 ? LONGEST.length : rank;
}
