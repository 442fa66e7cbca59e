import { join } from 'node:path';
import type { TestType } from '../../edge/contract/test-run/test-run.ts';

/** What is started for each type of tests: a program and its arguments, no shell between. */
export type Suites = Readonly<Record<TestType, readonly [string, ...string[]]>>;

/** Kernels on a device, whole trainings and comparisons with PyTorch: each takes minutes without a GPU. */
const LONG = ['kernels', 'training', 'golden', 'dispatch', 'spiking-conv', 'batched-generation'];

const projects = (...names: string[]) => names.map((name) => `--project=${name}`);

/** The suites of this project, as `npm test` runs them. */
export function projectSuites(root: string): Suites {
  const npmTest = [process.execPath, join(root, 'tools/run.mjs'), 'test'] as const;
  const without = LONG.map((name) => `--exclude=tests/engine/${name}.test.ts`);
  return {
    unit: [...npmTest, ...projects('web', 'engine'), ...without],
    integration: [...npmTest, ...projects('edge', 'compute')],
    all: [...npmTest],
  };
}
