import type { MemoryRecord } from '../../../edge/memory/contract/memory.ts';
import { type MemoryHit, ScoreBreakdown } from '../../../edge/memory/contract/search.ts';
import { column } from '../../records/columns.ts';
import { Note } from '../../ui/Layout.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { type MemoryFields, placeAt, PLACES, spanOf, type TimeWindow } from './memory-fields.ts';
import css from './Memory.module.css';
import { type MemoryText, useMemoryText } from './words/en-memory.ts';

type Row = MemoryRecord | MemoryHit;

/** Characters of a memory that a table shows. */
const MAX_SHOWN = 200;

interface MemoryTableProps {
  readonly memories: readonly Row[];
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onOpen: (memoryId: string) => void;
}

/** Memories, with scores if they are search results. */
export function MemoryTable(props: MemoryTableProps) {
  const text = useMemoryText();
  return (
    <Table
      caption={text.t('list.title')}
      columns={columnsOf(text, props)}
      rows={props.memories}
      rowKey={({ memory_id: id }) => id}
    />
  );
}

function columnsOf(
  { t, format }: MemoryText,
  { memories, fields, window, onOpen }: MemoryTableProps,
): readonly Column<Row>[] {
  const score: Column<Row> = column(
    t('column.score'),
    (row) => 'score' in row && <ScoreCell hit={row} />,
  );
  return [
    column(t('column.content'), ({ memory_id: id, content }) => (
      <span className={css['content']} lang="">
        <LinkButton onClick={() => onOpen(id)}>{shortened(content)}</LinkButton>
      </span>
    )),
    ...(memories.some((row) => 'score' in row) ? [score] : []),
    column(t('column.valid'), ({ valid_at: validAt, invalid_at: invalidAt }) => (
      <ValidityCell validAt={validAt} invalidAt={invalidAt} window={window} at={fields.at} />
    )),
    column(t('column.user'), ({ user_id: user }) => user),
    column(t('column.tags'), ({ tags }) => format.list(tags)),
  ];
}

const shortened = (content: string): string =>
  content.length <= MAX_SHOWN ? content : `${content.slice(0, MAX_SHOWN)} …`;

type Reason = keyof ScoreBreakdown;

/** In the order of the schema. */
const REASONS = Object.keys(ScoreBreakdown.shape) as readonly Reason[];

const reasonColour = (reason: Reason): string => `var(--series-${REASONS.indexOf(reason) + 1})`;

/** A score and its components, as a bar and in words. */
function ScoreCell({ hit: { score, score_breakdown: parts } }: { readonly hit: MemoryHit }) {
  const { t, format } = useMemoryText();
  const added = REASONS.filter((reason) => parts[reason] > 0);
  const words = added
    .toSorted((a, b) => parts[b] - parts[a])
    .map((reason) => t('score.part', { reason: t(`score.${reason}`), value: parts[reason] }));
  return (
    <div className={css['score']}>
      <strong>{format.number(score)}</strong>
      <span className={css['bar']} aria-hidden="true">
        {added.map((reason) => (
          <span
            key={reason}
            style={{ width: `${parts[reason] * 100}%`, background: reasonColour(reason) }}
          />
        ))}
      </span>
      <Note as="span">{format.list(words)}</Note>
    </div>
  );
}

/** The legend of the score components. */
export function ScoreLegend() {
  const { t } = useMemoryText();
  return (
    <ul className={css['legend']} aria-label={t('score.legend')}>
      {REASONS.map((reason) => (
        <li key={reason}>
          <span className={css['swatch']} style={{ background: reasonColour(reason) }} />
          {t(`score.${reason}`)}
        </li>
      ))}
    </ul>
  );
}

interface ValidityCellProps {
  readonly validAt: string;
  readonly invalidAt: string | null;
  readonly window: TimeWindow;
  /** The moment shown; empty for now. */
  readonly at: string;
}

/** A validity interval and the moment shown, on the scale of the slider. */
export function ValidityCell({ validAt, invalidAt, window, at }: ValidityCellProps) {
  const { t, format } = useMemoryText();
  const [start, end] = spanOf(validAt, invalidAt, window);
  const write = (moment: string) => format.dateTime(new Date(moment));
  return (
    <div className={css['validity']}>
      <span className={css['track']} aria-hidden="true">
        <span
          className={css['span']}
          data-open={invalidAt === null || undefined}
          style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
        />
        <span
          className={css['moment']}
          style={{ left: `${(placeAt(at, window) / PLACES) * 100}%` }}
        />
      </span>
      <Note as="span">
        {invalidAt === null
          ? t('valid.since', { from: write(validAt) })
          : t('valid.between', { from: write(validAt), to: write(invalidAt) })}
      </Note>
    </div>
  );
}
