import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Labels } from '../../../../edge/alerts/contract/alert-matcher.ts';
import type { Preview } from '../../../../edge/alerts/contract/alert-preview.ts';
import { ALERTS_KEY, previewRule } from '../../../api/alerts.ts';
import { column } from '../../../records/columns.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { TimeChart } from '../../../widgets/time-chart/TimeChart.tsx';
import type { AlertFields } from '../alert-fields.ts';
import { readDuration } from '../alert-syntax.ts';
import css from '../Alerts.module.css';
import { StateBadge } from '../StateBadge.tsx';
import { type AlertsText, useAlertsText } from '../words/en-alerts.ts';
import { conditionOf, conditionProblems, type RuleForm } from './rule-form.ts';

const RANGES = ['1h', '6h', '24h', '7d'] as const;
const TYPING_MS = 500;
/** More curves than this are not distinguishable; the table of spans has all. */
const CURVES = 6;

interface RulePreviewProps {
  readonly form: RuleForm;
  readonly range: AlertFields['range'];
  readonly onRange: (range: AlertFields['range']) => void;
}

/** When the edited rule would have been pending and firing. */
export function RulePreview({ form, range, onRange }: RulePreviewProps) {
  const { t } = useAlertsText();
  return (
    <Panel
      title={t('preview.title')}
      actions={
        <Segmented
          legend={t('preview.range')}
          options={RANGES.map((value) => ({ value, label: t(`preview.${value}`) }))}
          value={range}
          onChange={onRange}
        />
      }
    >
      <Past form={form} range={range} />
    </Panel>
  );
}

function Past({ form, range }: Omit<RulePreviewProps, 'onRange'>) {
  const { t } = useAlertsText();
  const isWhole = Object.keys(conditionProblems(form)).length === 0;
  const body = useSettled(
    isWhole
      ? JSON.stringify({ ...conditionOf(form), for_s: readDuration(form.pendingFor) ?? 0 })
      : '',
    TYPING_MS,
  );
  const query = useQuery({
    queryKey: [...ALERTS_KEY, 'preview', body, range],
    enabled: body !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (readDuration(range) ?? 0) * 1000).toISOString();
      return previewRule({ ...JSON.parse(body), from }, signal);
    },
  });
  if (body === '') {
    return (
      <EmptyState icon="plot" title={t('preview.waiting')}>
        {''}
      </EmptyState>
    );
  }
  // An error concerns the current condition: earlier curves would mislead.
  const shown = query.error ? { ...query, data: undefined } : query;
  return (
    <Resource query={shown} skeleton={{ lines: 6, lineRem: 2.5 }}>
      {(preview) => <Seen preview={preview} />}
    </Resource>
  );
}

function Seen({ preview }: { readonly preview: Preview }) {
  const { t, format } = useAlertsText();
  const { series, threshold, op, firings, truncated, step_s: step } = preview;
  const verdict =
    series.length === 0
      ? t('preview.noSeries')
      : firings === 0
        ? t('preview.never')
        : t('preview.firings', { count: firings });
  const to = Date.parse(preview.to);
  const spans = series.flatMap((one) =>
    one.spans.map((span) => ({
      state: span.state,
      from: Date.parse(span.from),
      to: span.to === null ? to : Date.parse(span.to),
    })),
  );
  return (
    <>
      <code className={css['expr']}>{preview.expr}</code>
      <output>
        <strong>{verdict}</strong>
      </output>
      <TimeChart
        title={t('rules.expr')}
        series={series
          .slice(0, CURVES)
          .map((one) => ({ name: seriesName(one.labels), points: one.points }))}
        range={{ from: Date.parse(preview.from), to, stepMs: step * 1000 }}
        write={format.number}
        {...(threshold !== null && {
          threshold: {
            value: threshold,
            label: t('preview.threshold', { value: `${op ?? ''} ${format.number(threshold)}` }),
          },
        })}
        spans={spans}
        sentences={[
          ...(spans.length > 0 ? [t('preview.pendingMark')] : []),
          ...(truncated || series.length > CURVES ? [t('preview.truncated')] : []),
        ]}
      />
      {spans.length > 0 && <Spans preview={preview} />}
    </>
  );
}

function Spans({ preview }: { readonly preview: Preview }) {
  const text = useAlertsText();
  return (
    <Table
      caption={text.t('preview.spans')}
      height="limited"
      rows={spanRows(preview)}
      rowKey={({ key }) => key}
      columns={spanColumns(text)}
    />
  );
}

function spanColumns({ t, format }: AlertsText): readonly Column<SpanRow>[] {
  const time = (at: string | null) =>
    at === null ? t('preview.still') : format.dateTime(new Date(at));
  return [
    column(t('preview.series'), ({ name }) => name),
    column(t('list.state'), ({ state }) => <StateBadge state={state} />),
    column(t('preview.from'), ({ from }) => time(from)),
    column(t('preview.to'), ({ to }) => time(to)),
  ];
}

type SpanRow = ReturnType<typeof spanRows>[number];

/** A series by its labels, or a dash where it has none. */
function seriesName(labels: Labels): string {
  const words = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? '–' : words.join(' ');
}

/** All pending and firing spans, latest first. */
function spanRows({ series }: Preview) {
  return series
    .flatMap(({ labels, spans }) => {
      const name = seriesName(labels);
      return spans.map((span) => ({ ...span, name, key: `${name} ${span.state} ${span.from}` }));
    })
    .toSorted((a, b) => (a.from < b.from ? 1 : -1));
}
