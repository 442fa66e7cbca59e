import type { EvaluationReport } from '../../../../engine/index.ts';
import type { StoredReport } from '../../../evaluation/report-shelf.ts';
import type { EvaluateText } from '../words/en-evaluate.ts';

/** A compared report. Its letter identifies it where its colour alone would not. */
export interface ShownReport {
  readonly id: string;
  readonly letter: string;
  /** The letter and the model. */
  readonly name: string;
  /** Its place among the colours of the charts. */
  readonly series: number;
  readonly report: EvaluationReport;
}

const LETTERS = ['A', 'B', 'C', 'D'];

/** The chosen reports in order; unknown ids are skipped. */
export function shownReports(
  stored: readonly StoredReport[],
  ids: readonly string[],
  { t }: EvaluateText,
): readonly ShownReport[] {
  const found = ids.flatMap((id) => stored.find((one) => one.id === id) ?? []);
  return found.slice(0, LETTERS.length).map(({ id, report }, series) => {
    const letter = LETTERS[series] ?? '';
    const name = t('report.letter', { letter, name: shortName(report) });
    return { id, letter, name, series, report };
  });
}

/** The name of the model without its folders. */
export function shortName({ model }: EvaluationReport): string {
  return model.name.split(/[\\/]/).findLast((part) => part !== '') ?? model.name;
}

/** The compared reports, at least one. */
export interface ViewProps {
  readonly reports: readonly ShownReport[];
}
