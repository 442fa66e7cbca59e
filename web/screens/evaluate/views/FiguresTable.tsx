import type { EvaluationReport } from '../../../../engine/index.ts';
import { column, endColumn } from '../../../records/columns.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import css from '../Evaluate.module.css';
import type { ViewProps } from '../reports/shown-report.ts';
import { type EvaluateText, useEvaluateText } from '../words/en-evaluate.ts';
import { calibrationOf } from './CurvePlots.tsx';

/** One metric of all compared reports. */
interface FigureRow {
  readonly label: string;
  /** In the order of the reports; null where a report does not have it. */
  readonly values: readonly (string | null)[];
}

/** Losses differ in the third decimal. */
const LOSS_DECIMALS = 4;

/** The metrics that at least one report has. */
export function figureRows(
  reports: readonly EvaluationReport[],
  text: EvaluateText,
): readonly FigureRow[] {
  return [
    ...aboutRows(text),
    ...languageRows(text),
    ...answerRows(text),
    ...spikeRows(text),
    ...costRows(text),
  ].flatMap(([label, read]) => {
    const values = reports.map((report) => read(report) ?? null);
    return values.every((value) => value === null) ? [] : [{ label, values }];
  });
}

type Figure = readonly [label: string, read: (report: EvaluationReport) => string | undefined];

/** Writes a number, where there is one. */
function written(write: (value: number) => string) {
  return (value: number | undefined): string | undefined =>
    value === undefined ? undefined : write(value);
}

const loss = written((value) => value.toFixed(LOSS_DECIMALS));

function aboutRows({ t, format }: EvaluateText): readonly Figure[] {
  const { integer } = format;
  return [
    [
      t('figure.status'),
      ({ done, total }) => t('figure.statusOf', { done: integer(done), total: integer(total) }),
    ],
    [
      t('figure.data'),
      ({ data }) => t('shelf.data', { data: data.name, split: t(`data.${data.split}`) }),
    ],
    [t('figure.unknown'), ({ data }) => written(integer)(data.unknown_characters)],
    [t('figure.architecture'), ({ model }) => model.architecture],
    [t('figure.parameters'), ({ model }) => integer(model.parameters)],
  ];
}

function languageRows({ t, format }: EvaluateText): readonly Figure[] {
  const percent = written(format.percent);
  return [
    [t('figure.natsPerCharacter'), ({ language }) => loss(language?.nats_per_character)],
    [
      t('figure.interval'),
      ({ language, classification }) => {
        const interval = language?.interval ?? classification?.interval;
        if (!interval) return undefined;
        const write = language ? loss : percent;
        return t('figure.range', {
          low: write(interval.low) ?? '',
          high: write(interval.high) ?? '',
        });
      },
    ],
    [t('figure.bitsPerCharacter'), ({ language }) => loss(language?.bits_per_character)],
    [t('figure.natsPerByte'), ({ language }) => loss(language?.nats_per_byte)],
    [t('figure.bitsPerByte'), ({ language }) => loss(language?.bits_per_byte)],
    [t('figure.perplexity'), ({ language }) => written(format.number)(language?.perplexity)],
    [t('figure.tokenAccuracy'), ({ language }) => percent(language?.accuracy)],
  ];
}

function answerRows({ t, format }: EvaluateText): readonly Figure[] {
  const percent = written(format.percent);
  return [
    [t('figure.accuracy'), ({ classification }) => percent(classification?.accuracy)],
    [t('figure.balanced'), ({ classification }) => percent(classification?.balanced_accuracy)],
    [t('figure.macroF1'), ({ classification }) => written(format.number)(classification?.macro_f1)],
    [t('figure.calibration'), (report) => percent(calibrationOf(report)?.expected_error)],
    [t('figure.pictures'), ({ retrieval }) => percent(retrieval?.pictures.recall_at['1'])],
    [t('figure.captions'), ({ retrieval }) => percent(retrieval?.captions.recall_at['1'])],
    [t('figure.chance'), ({ retrieval }) => percent(retrieval && 1 / retrieval.pairs)],
    [t('figure.gain'), ({ retrieval }) => loss(retrieval?.gain.value)],
    [t('figure.natsPerToken'), ({ streams }) => loss(streams?.nats_per_token)],
    [t('figure.unigram'), ({ streams }) => loss(streams?.unigram_nats_per_token)],
    [t('figure.streamClass'), ({ streams }) => percent(streams?.class_accuracy)],
    [t('figure.commonest'), ({ streams }) => percent(streams?.class_majority)],
  ];
}

function spikeRows({ t, format }: EvaluateText): readonly Figure[] {
  const integer = written(format.integer);
  return [
    [t('figure.rate'), ({ spikes }) => written(format.percent)(spikes?.rate)],
    [t('figure.spikes'), ({ spikes }) => integer(spikes?.per_unit)],
    [t('figure.synapticOps'), ({ spikes }) => integer(spikes?.synaptic_ops_per_unit)],
    [t('figure.products'), ({ energy }) => integer(energy?.macs)],
  ];
}

function costRows({ t, format }: EvaluateText): readonly Figure[] {
  const { integer, bytes } = format;
  return [
    [t('figure.speed'), ({ speed }) => integer(speed.units_per_second)],
    [t('figure.parameterBytes'), ({ memory }) => bytes(memory.parameters)],
    [t('figure.arena'), ({ memory }) => bytes(memory.arena)],
    [
      t('figure.process'),
      ({ memory }) => (memory.process_peak === null ? undefined : bytes(memory.process_peak)),
    ],
    [t('figure.device'), ({ device }) => device],
  ];
}

/** The metrics of the reports side by side. */
export function FiguresTable({ reports }: ViewProps) {
  const text = useEvaluateText();
  const { t } = text;
  const columns: Column<FigureRow>[] = [
    column(t('figures.figure'), labelCell),
    ...reports.map(({ name }, index) => endColumn(name, valueCell(index))),
  ];
  return (
    <Panel title={t('figures.title')} note={t('figures.note')}>
      <Table
        caption={t('figures.title')}
        columns={columns}
        rows={figureRows(
          reports.map(({ report }) => report),
          text,
        )}
        rowKey={({ label }) => label}
      />
    </Panel>
  );
}

function labelCell({ label }: FigureRow) {
  return <span className={css['label']}>{label}</span>;
}

function valueCell(index: number): Column<FigureRow>['cell'] {
  return function ValueCell({ values }) {
    return <span className={css['value']}>{values[index] ?? '–'}</span>;
  };
}
