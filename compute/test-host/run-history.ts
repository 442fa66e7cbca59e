import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT_RUNS, TestRun, TestRunDetails } from '../../edge/test-runs/contract/test-run.ts';

const SUFFIX = '.json';
const INTERRUPTED = 'The host of the tests ended while they ran.';

/** The last runs, each a file that appears by one rename: a run is there whole, or as it was before. */
export interface RunHistory {
  /** Without their output, the latest first. */
  list(): readonly TestRun[];
  find(runId: string): Promise<TestRunDetails | undefined>;
  /** Keeps a run, or what has become of it; the oldest beyond KEPT_RUNS goes. */
  keep(run: TestRunDetails): Promise<void>;
}

/**
 * Opens the runs in a folder. One that was under way when the host was killed has failed; a file that
 * cannot be read is none.
 */
export async function openRunHistory(folder: string): Promise<RunHistory> {
  await mkdir(folder, { recursive: true });
  const found = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => read(folder, name)),
  );
  const runs = new Map<string, TestRun>();
  for (const run of found.flatMap((one) => one ?? []).toSorted(byId))
    runs.set(run.run_id, TestRun.parse(run));
  const history = historyIn(folder, runs);
  for (const run of found) {
    if (run?.status === 'running') {
      await history.keep({ ...run, status: 'failed', message: INTERRUPTED });
    }
  }
  return history;
}

/** Ids begin with the time, so their order is that of the runs. */
const byId = (a: TestRun, b: TestRun) => (a.run_id < b.run_id ? -1 : 1);

function historyIn(folder: string, runs: Map<string, TestRun>): RunHistory {
  return {
    list: () => [...runs.values()].toReversed(),
    async find(runId) {
      return runs.has(runId) ? read(folder, runId + SUFFIX) : undefined;
    },
    async keep(run) {
      const partial = join(folder, `${run.run_id}.partial`);
      await writeFile(partial, JSON.stringify(run), { mode: 0o600 });
      await rename(partial, join(folder, run.run_id + SUFFIX));
      runs.set(run.run_id, TestRun.parse(run));
      for (const runId of [...runs.keys()].slice(0, -KEPT_RUNS)) {
        runs.delete(runId);
        await rm(join(folder, runId + SUFFIX), { force: true });
      }
    },
  };
}

async function read(folder: string, name: string): Promise<TestRunDetails | undefined> {
  try {
    return TestRunDetails.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  } catch {
    return undefined;
  }
}
