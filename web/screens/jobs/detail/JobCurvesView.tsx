import { useCallback, useMemo, useState } from 'react';
import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { Button } from '../../../ui/Button.tsx';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import type { PlotRange, PlotZoom } from '../../../widgets/time-series/plot-zoom.ts';
import { TimeSeries } from '../../../widgets/time-series/TimeSeries.tsx';
import type { JobViewFields } from '../job-fields.ts';
import { useJobsText } from '../words/en-jobs.ts';
import type { JobCurves } from './job-feed.ts';
import css from './Job.module.css';

/** The charts with the names of their series. */
const CHARTS = [
  ['loss', ['curve.train', 'curve.validation']],
  ['spikes', ['curve.spikes']],
  ['speed', ['curve.speed']],
  ['gradient', ['curve.gradient']],
] as const;

interface JobCurvesViewProps {
  readonly job: JobRecord;
  readonly curves: JobCurves;
  readonly fields: JobViewFields;
  readonly onChange: (change: Partial<JobViewFields>) => void;
}

/** The metrics of a job as charts with a common cursor and zoom. */
export function JobCurvesView({ job, curves, fields, onChange }: JobCurvesViewProps) {
  const { t } = useJobsText();
  const [x, readAt] = useState<number | null>(null);
  const cursor = { x, readAt };
  const zoom = useZoom(fields, onChange);
  const common = { cursor, zoom, axis: t('curve.axis'), gaps: 'join' } as const;
  return (
    <Stack>
      <CurveBar job={job} fields={fields} onChange={onChange} />
      <div className={css['charts']}>
        {CHARTS.map(([name, series]) => (
          <TimeSeries
            {...common}
            key={name}
            title={t(`curve.${name}`)}
            buffer={curves[name]}
            series={series.map((key) => t(key))}
          />
        ))}
      </div>
    </Stack>
  );
}

/** Memoised: a chart is recreated for a new zoom object. */
function useZoom({ from, to }: JobViewFields, onChange: JobCurvesViewProps['onChange']): PlotZoom {
  const choose = useCallback(
    ([start, end]: PlotRange) =>
      onChange({ from: Math.max(0, Math.floor(start)), to: Math.ceil(end) }),
    [onChange],
  );
  return useMemo(() => ({ range: to > from ? [from, to] : null, choose }), [from, to, choose]);
}

const RULE = { kind: 'integer', min: 0, max: 1_000_000_000 } as const;

function CurveBar({ job, fields, onChange }: Omit<JobCurvesViewProps, 'curves'>) {
  const { t } = useJobsText();
  const seats = Array.from({ length: job.replicas }, (_, seat) => String(seat));
  return (
    <Grid min="8rem" columns="fill" gap={[2, 3]} align="end">
      {seats.length > 1 && (
        <SelectField
          label={t('curve.seat')}
          options={seats.map((value) => ({ value, label: value }))}
          value={String(fields.seat)}
          onChange={(seat) => onChange({ seat: Number(seat) })}
        />
      )}
      <NumberField
        label={t('curve.from')}
        value={fields.from}
        rule={RULE}
        step={10}
        onChange={(from) => onChange({ from })}
      />
      <NumberField
        label={t('curve.to')}
        value={fields.to}
        rule={RULE}
        step={10}
        onChange={(to) => onChange({ to })}
      />
      <Button
        icon="reset"
        disabled={fields.from === 0 && fields.to === 0}
        onClick={() => onChange({ from: 0, to: 0 })}
      >
        {t('curve.all')}
      </Button>
      <Note style={{ gridColumn: '1 / -1' }}>{t('curve.hint')}</Note>
    </Grid>
  );
}
