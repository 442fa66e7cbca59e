import { join } from 'node:path';
import {
  diagnoseRun,
  type Finding,
  type Progress,
  remedyText,
  sentenceOf,
  type TrainingRun,
  type Validation,
} from '../../engine/index.ts';
import { DIAGNOSIS, jsonText, writeWhole } from '../runs/run-files.ts';

/** Watches a run and says at its end why it does not learn. */
export interface RunDoctor {
  advanced(progress: Progress): void;
  validated(validation: Validation): void;
  /**
   * Prints the findings with their evidence, each with the command of its remedy, and writes diagnosis.json.
   * `isDiverged` adds a step without a loss, as the one that ended the run was not reported.
   */
  finished(output: string, isDiverged: boolean): Promise<void>;
}

interface Diagnosing {
  /** Whether it began with trained weights: its losses say nothing of its rate then. */
  readonly isContinued: boolean;
  /** Without it only a run that diverges is looked at. */
  readonly isAsked: boolean | undefined;
}

export function createDoctor(run: TrainingRun, { isContinued, isAsked }: Diagnosing): RunDoctor {
  const losses: number[] = [];
  const norms: number[] = [];
  let validation: Validation | undefined;
  return {
    advanced(progress) {
      losses.push(...progress.losses);
      norms.push(...progress.norms);
    },
    validated(result) {
      validation = result;
    },
    async finished(output, isDiverged) {
      if (!isAsked && !isDiverged) return;
      if (isDiverged) losses.push(Number.NaN);
      const curve = isContinued && !isDiverged ? undefined : { losses, norms };
      const { findings, observations } = await diagnoseRun({ run, curve, validation });
      const { layers, weights } = observations;
      const told = findings.map((one) => ({
        ...one,
        sentence: sentenceOf(one),
        command: commandOf(one, run, output),
      }));
      const report = { format: FORMAT, version: 1, step: run.step(), findings: told };
      await writeWhole(join(output, DIAGNOSIS), jsonText({ ...report, layers, weights }));
      for (const line of linesOf(told)) console.error(line);
    },
  };
}

const FORMAT = 'spikegrid.diagnosis';

interface Told extends Finding {
  readonly sentence: string;
  readonly command: string | undefined;
}

function linesOf(findings: readonly Told[]): readonly string[] {
  if (findings.length === 0) return ['diagnosis: nothing is wrong that is known'];
  return findings.flatMap(({ sentence, remedy, command }) => [
    `diagnosis: ${sentence}`,
    ...(remedy && command
      ? [`  remedy: ${remedyText(remedy)}:`, `  ${command}`]
      : ['  no setting mends it: check that inputs and labels are in the same order']),
  ]);
}

/** The command of a remedy: a run of its own, whose parent is this one. */
function commandOf(
  { remedy }: Finding,
  { settings: { budget } }: TrainingRun,
  output: string,
): string | undefined {
  if (!remedy) return undefined;
  const rate = remedy.changes.find(({ setting }) => setting === 'learning-rate')?.to;
  const amount = { steps: 0, epochs: 0, minutes: 0, ...budget }[budget.kind];
  const flags = [
    `--base ${quote(output)}`,
    ...(remedy.from === 'new-weights' ? ['--new-weights'] : []),
    ...(rate === undefined ? [] : [`--learning-rate ${rate}`]),
    `--${budget.kind} ${amount}`,
  ];
  return `npm run -s spikegrid -- train ${flags.join(' ')}`;
}

/** For a command line that is shown, not run. */
const quote = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
