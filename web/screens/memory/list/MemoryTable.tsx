import type { MemoryRecord } from '../../../../edge/memory/contract/memory.ts';
import type { MemoryHit } from '../../../../edge/memory/contract/search.ts';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import type { MemoryFields } from '../memory-fields.ts';
import css from '../Memory.module.css';
import { type MemoryText, useMemoryText } from '../memory-text.ts';
import type { TimeWindow } from '../time-window.ts';
import { ScoreCell } from './ScoreCell.tsx';
import { ValidityCell } from './ValidityCell.tsx';

type Row = MemoryRecord | MemoryHit;

/** Characters of a memory that a table shows. */
const MOST_SHOWN = 200;

export interface MemoryTableProps {
  readonly memories: readonly Row[];
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onOpen: (memoryId: string) => void;
}

/** Memories, with their scores where they were searched for. */
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
  const score: Column<Row> = {
    key: 'score',
    title: t('column.score'),
    cell: (row) => 'score' in row && <ScoreCell hit={row} />,
  };
  return [
    {
      key: 'content',
      title: t('column.content'),
      cell: ({ memory_id: id, content }) => (
        <span className={css['content']} lang="">
          <LinkButton onClick={() => onOpen(id)}>{shortened(content)}</LinkButton>
        </span>
      ),
    },
    ...(memories.some((row) => 'score' in row) ? [score] : []),
    {
      key: 'valid',
      title: t('column.valid'),
      cell: ({ valid_at: validAt, invalid_at: invalidAt }) => (
        <ValidityCell validAt={validAt} invalidAt={invalidAt} window={window} at={fields.at} />
      ),
    },
    { key: 'user', title: t('column.user'), cell: ({ user_id: user }) => user },
    { key: 'tags', title: t('column.tags'), cell: ({ tags }) => format.list(tags) },
  ];
}

const shortened = (content: string): string =>
  content.length <= MOST_SHOWN ? content : `${content.slice(0, MOST_SHOWN)} …`;
