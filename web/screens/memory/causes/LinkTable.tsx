import type { CausalLink } from '../../../../edge/memory/contract/causal.ts';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { ValidityCell } from '../list/ValidityCell.tsx';
import css from '../Memory.module.css';
import { type MemoryText, useMemoryText } from '../memory-text.ts';
import type { TimeWindow } from '../time-window.ts';
import { linkId } from './graph-layout.ts';

export interface LinkTableProps {
  readonly links: readonly CausalLink[];
  readonly window: TimeWindow;
  readonly at: string;
  readonly onLink: (id: string) => void;
}

/** The edges of the graph, a row for each. */
export function LinkTable(props: LinkTableProps) {
  const text = useMemoryText();
  return (
    <Table
      caption={text.t('graph.title')}
      columns={columnsOf(text, props)}
      rows={props.links}
      rowKey={linkId}
    />
  );
}

function columnsOf(
  { t, format }: MemoryText,
  { window, at, onLink }: LinkTableProps,
): readonly Column<CausalLink>[] {
  return [
    {
      key: 'cause',
      title: t('column.cause'),
      cell: (link) => (
        <span className={css['content']} lang="">
          <LinkButton onClick={() => onLink(linkId(link))}>{link.cause}</LinkButton>
        </span>
      ),
    },
    {
      key: 'relation',
      title: t('column.relation'),
      cell: ({ relation, contradicted }) =>
        contradicted
          ? t('relation.disputed', { relation: t(`relation.${relation}`) })
          : t(`relation.${relation}`),
    },
    {
      key: 'effect',
      title: t('column.effect'),
      cell: ({ effect }) => <span lang="">{effect}</span>,
    },
    {
      key: 'confidence',
      title: t('column.confidence'),
      align: 'end',
      cell: ({ confidence }) => format.percent(confidence),
    },
    {
      key: 'evidence',
      title: t('column.evidence'),
      align: 'end',
      cell: ({ evidence_memory_ids: ids }) => format.integer(ids.length),
    },
    {
      key: 'valid',
      title: t('column.valid'),
      cell: ({ valid_at: validAt, invalid_at: invalidAt }) => (
        <ValidityCell validAt={validAt} invalidAt={invalidAt} window={window} at={at} />
      ),
    },
  ];
}
