import type { TestSummary } from '../../edge/test-runs/contract/test-run.ts';
import {
  notStarted,
  type SuiteEnd,
  type SuiteOptions,
  type SuiteProcess,
  startSuite,
} from './suite-process.ts';
import type { SuitePart } from './suites.ts';
import { summaryIn } from './summary.ts';

/** Outcome of a part: `ended` is one that the limit or the host ended, `not begun` one behind it. */
interface PartEnd {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'ended' | 'not begun';
  /** Null where its runner counted nothing. */
  readonly summary: TestSummary | null;
}

/** The code of the last part that did not end well, else 0, and what became of each. */
export interface PartsEnd extends SuiteEnd {
  readonly parts: readonly PartEnd[];
}

export interface PartsProcess extends Pick<SuiteProcess, 'kill'> {
  readonly ended: Promise<PartsEnd>;
}

interface PartsOptions extends Omit<SuiteOptions, 'argv'> {
  readonly parts: readonly SuitePart[];
}

/** Runs parts one after the other within one limit; a part that fails holds up none behind it. */
export function startParts({ parts, timeLimitMs, ...suite }: PartsOptions): PartsProcess {
  const until = performance.now() + timeLimitMs;
  let current: SuiteProcess | undefined;
  let isKilled = false;
  const { log } = suite;

  async function runPart({ name, argv }: SuitePart): Promise<SuiteEnd & PartEnd> {
    const place = log.place;
    current = startSuite({ ...suite, argv, timeLimitMs: Math.max(1, until - performance.now()) });
    const end = await current.ended.catch(notStarted);
    const summary = summaryIn(log.text('stdout', place));
    const ran = end.returncode === 0 ? 'passed' : 'failed';
    return { ...end, name, outcome: end.isLate || isKilled ? 'ended' : ran, summary };
  }

  async function run(): Promise<PartsEnd> {
    const ends: PartEnd[] = [];
    let whole: SuiteEnd = { returncode: 0, isLate: false };
    for (const part of parts) {
      if (whole.isLate || isKilled) {
        ends.push({ name: part.name, outcome: 'not begun', summary: null });
        continue;
      }
      const { name, outcome, summary, ...end } = await runPart(part);
      ends.push({ name, outcome, summary });
      if (end.returncode !== 0) whole = { ...whole, ...end };
    }
    log.close();
    return { ...whole, parts: ends };
  }

  return {
    ended: run(),
    kill() {
      isKilled = true;
      current?.kill();
    },
  };
}
