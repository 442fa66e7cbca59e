import type {
  TestRun,
  TestRunDetails,
  TestStatus,
  TestType,
} from '../../edge/test-runs/contract/test-run.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { OutputLog } from './output-log.ts';
import type { RunHistory } from './run-history.ts';
import {
  type Begun,
  endedRun,
  newRun,
  soFar,
  statusOf,
  typesOf,
  withOutput,
} from './run-record.ts';
import { type PartsEnd, type PartsProcess, startParts } from './suite-parts.ts';
import type { Suites } from './suites.ts';

export interface TestSchedulerOptions {
  /** Whether tests may be run at all. */
  readonly isEnabled: boolean;
  readonly suites: Suites;
  /** The folder they run in. */
  readonly root: string;
  readonly timeLimitsMs: Readonly<Record<TestType, number>>;
  readonly history: RunHistory;
}

/** Request for a run. */
export interface Order {
  readonly type: TestType;
  readonly startedBy: TestRun['started_by'];
  /** Writes down that it begins; nothing runs where that fails. */
  readonly record: (runId: string) => Promise<void>;
}

export interface BegunRun extends Begun {
  readonly ended: Promise<TestRunDetails>;
}

/** Runs suites, one at a time. */
export class TestScheduler {
  readonly #options: TestSchedulerOptions;
  /** The run that has the desk, from before anything is written down about it. */
  #busyWith: string | undefined;
  #current: (BegunRun & { readonly process: PartsProcess }) | undefined;

  constructor(options: TestSchedulerOptions) {
    this.#options = options;
  }

  get isEnabled(): boolean {
    return this.#options.isEnabled;
  }

  status(): TestStatus {
    const current = this.#current && soFar(this.#current);
    const { history, timeLimitsMs } = this.#options;
    const kept = history.list();
    return { ...statusOf(this.isEnabled, current, kept), types: typesOf(timeLimitsMs, kept) };
  }

  /** The latest first. */
  list(): readonly TestRun[] {
    return this.#options.history.list().map((run) => {
      const current = this.following(run.run_id);
      return current ? soFar(current) : run;
    });
  }

  /** @throws Problem run_not_found */
  async find(runId: string): Promise<TestRunDetails> {
    const current = this.following(runId);
    if (current) return withOutput(soFar(current), current.log);
    const run = await this.#options.history.find(runId);
    if (run) return run;
    throw new Problem('run_not_found', `There is no run of tests with the id ${runId}.`);
  }

  /** The run under way, where it has this id. */
  following(runId: string): BegunRun | undefined {
    return this.#current?.run.run_id === runId ? this.#current : undefined;
  }

  /** @throws Problem test_run_in_progress, what `record` throws, and the system's error for the disk */
  async begin({ type, startedBy, record }: Order): Promise<BegunRun> {
    if (this.#busyWith !== undefined) {
      throw new Problem('test_run_in_progress', `The run ${this.#busyWith} has not ended yet.`, {
        members: { run_id: this.#busyWith },
      });
    }
    const runId = `run_${ulid()}`;
    this.#busyWith = runId;
    try {
      await record(runId);
      const run = newRun(runId, type, startedBy);
      await this.#options.history.keep({ ...run, stdout: '', stderr: '' });
      return this.#start(run);
    } catch (error) {
      this.#busyWith = undefined;
      throw error;
    }
  }

  /** Ends what runs, with all of its processes. */
  async stop(): Promise<void> {
    this.#current?.process.kill();
    await this.#current?.ended;
  }

  #start(run: TestRun): BegunRun {
    const { suites, root: cwd, timeLimitsMs } = this.#options;
    const log = new OutputLog();
    const parts = suites[run.test_type];
    const timeLimitMs = timeLimitsMs[run.test_type];
    const process = startParts({ runId: run.run_id, parts, cwd, timeLimitMs, log });
    const begun = { run, log, since: performance.now() };
    const ended = this.#finish(begun, process.ended);
    this.#current = { ...begun, ended, process };
    return this.#current;
  }

  async #finish(begun: Begun, process: Promise<PartsEnd>): Promise<TestRunDetails> {
    const end = await process;
    const run = endedRun(begun, end, this.#options.timeLimitsMs[begun.run.test_type]);
    // A full disk loses the record, not the answer.
    await this.#options.history.keep(run).catch((error: unknown) => {
      console.error(`the run ${run.run_id} cannot be kept: ${String(error)}`);
    });
    this.#current = undefined;
    this.#busyWith = undefined;
    return run;
  }
}
