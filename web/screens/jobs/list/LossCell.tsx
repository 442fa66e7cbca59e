import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import type { MetricPoint } from '../../../../edge/training/contract/job-event.ts';
import { curvesQuery } from '../../../api/training.ts';
import { useText } from '../../../i18n/text-context.ts';
import { createSeriesBuffer, type SeriesBuffer } from '../../../widgets/buffers/series-buffer.ts';
import { Sparkline } from '../../../widgets/sparkline/Sparkline.tsx';
import css from '../Jobs.module.css';

const SPARK_ROWS = 64;
/** A curve of fewer points than this does not fill the width. */
const FEWEST_ROWS = 16;

/** The loss now, and how it came there. */
export function LossCell({ job }: { readonly job: JobRecord }) {
  const { format } = useText();
  const loss = job.metrics.train_loss;
  return (
    <span className={css['loss']}>
      {loss !== null && <LossSparkline job={job} />}
      <span className={css['value']}>{loss === null ? '–' : format.number(loss)}</span>
    </span>
  );
}

/** Asked for once; what is measured later comes with the list. */
function LossSparkline({ job }: { readonly job: JobRecord }) {
  const { data } = useQuery(curvesQuery(job.job_id));
  const buffer = useMemo(() => {
    const made = createSeriesBuffer(1, SPARK_ROWS);
    for (const { step, loss } of data ? evenly(lossesIn(data)) : []) made.push(step, [loss]);
    return made;
  }, [data]);
  const { step } = job.progress;
  const loss = job.metrics.train_loss;
  useEffect(() => add(buffer, step, loss), [buffer, step, loss]);
  return <Sparkline buffer={buffer} rows={Math.max(FEWEST_ROWS, buffer.length)} />;
}

const lossesIn = (points: readonly MetricPoint[]) =>
  points.flatMap(({ step, train_loss: loss }) => (loss === null ? [] : [{ step, loss }]));

function evenly<T>(rows: readonly T[]): readonly T[] {
  const every = Math.ceil(rows.length / SPARK_ROWS);
  return rows.filter((_, index) => (rows.length - 1 - index) % every === 0);
}

function add(buffer: SeriesBuffer, step: number, loss: number | null): void {
  const newest = buffer.window().x.at(-1) ?? -1;
  if (loss === null || step === newest) return;
  // A job that went back to its checkpoint comes by again.
  if (step < newest) buffer.dropAfter(step - 1);
  buffer.push(step, [loss]);
}
