import { join } from 'node:path';
import type { TestType } from '../../edge/test-runs/contract/test-run.ts';

/** Part of a suite: a program and its arguments, no shell between, in a process group of its own. */
export interface SuitePart {
  /** Description of the suite. */
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
}

/** Parts of each type of tests, run one after the other. */
export type Suites = Readonly<Record<TestType, readonly [SuitePart, ...SuitePart[]]>>;

/**
 * Files that look at several processes together: services that find, balance, kill and follow each
 * other. All of the edge and of Node takes twice the limit on two cores.
 */
const INTEGRATION: Readonly<Record<'edge' | 'compute', readonly string[]>> = {
  edge: [
    'brain',
    'events',
    'geo-discovery',
    'geo-failover',
    'handed-on',
    'instances',
    'lm-training',
    'memory-forgotten',
    'memory-together',
    'node-discovery',
    'probes',
    'sensors',
    'services',
    'sockets',
    'test-runs',
  ],
  compute: [
    'brain',
    'geo-cli',
    'inference',
    'inference-v1',
    'jobs',
    'keys',
    'launcher',
    'launcher-revive',
    'logs',
    'memory',
    'open-inference',
    'external-broker',
    'plugin-host',
    'register',
    'sensor-cli',
  ],
};

/** The suites of this project, as `npm test` runs them. */
export function projectSuites(root: string): Suites {
  const npmTest = [process.execPath, join(root, 'tools/run.mjs'), 'test'] as const;
  const part = (name: string, ...args: string[]): SuitePart => ({
    name,
    argv: [...npmTest, ...args],
  });
  const files = Object.entries(INTEGRATION).flatMap(([project, names]) =>
    names.map((name) => `tests/${project}/${name}.test.ts`),
  );
  const alone = part('engine and page', '--project=engine', '--project=web');
  return {
    unit: [alone],
    integration: [part('services together', '--project=edge', '--project=compute', ...files)],
    all: [
      alone,
      part('edge', '--project=edge', '--project=answers'),
      part('Node', '--project=compute'),
      part('pages', 'e2e'),
    ],
  };
}
