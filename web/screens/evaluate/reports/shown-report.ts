import type { EvaluationReport } from '../../../../engine/index.ts';
import type { KeptReport } from '../../../evaluation/report-shelf.ts';
import type { EvaluateText } from '../evaluate-text.ts';

/** A report among those that are compared, under a letter of its own: colour is never alone. */
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

/** The chosen ones in their order; ids that this browser does not keep are passed over. */
export function shownReports(
  kept: readonly KeptReport[],
  ids: readonly string[],
  { t }: EvaluateText,
): readonly ShownReport[] {
  const found = ids.flatMap((id) => kept.find((one) => one.id === id) ?? []);
  return found.slice(0, LETTERS.length).map(({ id, report }, series) => {
    const letter = LETTERS[series] ?? '';
    const name = t('report.letter', { letter, name: shortName(report) });
    return { id, letter, name, series, report };
  });
}

/** The model as it was asked for, without the folders that it lies in. */
export function shortName({ model }: EvaluationReport): string {
  return model.name.split(/[\\/]/).findLast((part) => part !== '') ?? model.name;
}

/** The reports that are compared, at least one. */
export interface ViewProps {
  readonly reports: readonly ShownReport[];
}
