import { HeatTable } from '../../../widgets/heat-table/HeatTable.tsx';
import css from '../Evaluate.module.css';
import { useEvaluateText } from '../evaluate-text.ts';
import type { ShownReport } from '../reports/shown-report.ts';

/** Which classes were taken for which. */
export function ConfusionView({ shown: { name, report } }: { readonly shown: ShownReport }) {
  const { t, format } = useEvaluateText();
  const { classification } = report;
  if (!classification) return null;
  const { labels, matrix, classes, count } = classification;
  const right = matrix.reduce((sum, row, truth) => sum + (row[truth] ?? 0), 0);
  const worst = worstOf(matrix);
  const said = t('confusion.said', { right: format.integer(right), count: format.integer(count) });
  return (
    <div className={css['card']}>
      <HeatTable
        title={t('confusion.title', { name })}
        corner={t('confusion.truth')}
        rowLabels={labels}
        columnLabels={labels}
        values={matrix}
        write={format.integer}
        beside={{
          title: t('confusion.recall'),
          cells: classes.map(({ recall }) => format.percent(recall ?? Number.NaN)),
        }}
        sentences={
          worst
            ? [
                said,
                t('confusion.worst', {
                  truth: labels[worst.truth] ?? '',
                  answer: labels[worst.answer] ?? '',
                  count: format.integer(worst.count),
                }),
              ]
            : [said]
        }
      />
    </div>
  );
}

/** The mistake that was made most often, if any was. */
export function worstOf(matrix: readonly (readonly number[])[]) {
  const mistakes = matrix.flatMap((row, truth) =>
    row.flatMap((count, answer) =>
      truth === answer || count === 0 ? [] : { truth, answer, count },
    ),
  );
  return mistakes.toSorted((a, b) => b.count - a.count)[0];
}
