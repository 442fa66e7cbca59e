import { useState } from 'react';
import type { CausalLink } from '../../../../edge/memory/contract/causal.ts';
import { column, endColumn } from '../../../records/columns.ts';
import { JsonView } from '../../../records/JsonView.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Row } from '../../../ui/Layout.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RangeField } from '../../../ui/RangeField.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Segmented } from '../../../ui/Segmented.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import type { MemoryFields, TimeWindow } from '../memory-fields.ts';
import css from '../Memory.module.css';
import { jsonFile } from '../MemoryParts.tsx';
import { ValidityCell } from '../MemoryTable.tsx';
import { type MemoryText, useMemoryText } from '../words/en-memory.ts';
import { CausalGraph, RelationLegend } from './CausalGraph.tsx';
import { linkId } from './graph-layout.ts';
import type { ShownGraph } from './shown-graph.ts';

const VIEWS = ['graph', 'table', 'json'] as const;
type View = (typeof VIEWS)[number];

interface GraphPanelProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly graph: ShownGraph;
  readonly starts: readonly string[];
  readonly onNode: (key: string) => void;
  readonly onLink: (id: string) => void;
  readonly onView: (view: View) => void;
}

/** A part of the graph as a drawing, a table or JSON. */
export function GraphPanel(props: GraphPanelProps) {
  const { fields, window, graph, starts, onNode, onLink, onView } = props;
  const { t, format } = useMemoryText();
  const [scale, setScale] = useState(1);
  const { nodes, links } = graph;
  const counts = { count: nodes.length, links: links.length };
  return (
    <Panel
      title={t('graph.title')}
      note={t(graph.truncated ? 'graph.sentenceCut' : 'graph.sentence', counts)}
      actions={
        <>
          <Segmented
            legend={t('view.legend')}
            options={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
            value={fields.graph}
            onChange={onView}
          />
          <IconButton
            icon="download"
            label={t('view.save')}
            onClick={() => saveFile('causes.json', jsonFile({ nodes, links }))}
          />
        </>
      }
    >
      {fields.graph === 'graph' && (
        <>
          <Row justify="space-between" gap={[2, 3]}>
            <RelationLegend />
            <RangeField
              layout="inline"
              label={t('graph.scale')}
              min={0.4}
              max={1.4}
              step={0.1}
              value={scale}
              valueText={format.percent(scale)}
              onChange={setScale}
            />
          </Row>
          <CausalGraph
            graph={graph}
            starts={starts}
            node={fields.node}
            link={fields.link}
            scale={scale}
            onNode={onNode}
            onLink={onLink}
          />
        </>
      )}
      {fields.graph === 'table' && (
        <LinkTable links={links} window={window} at={fields.at} onLink={onLink} />
      )}
      {fields.graph === 'json' && <JsonView label={t('graph.title')} value={{ nodes, links }} />}
    </Panel>
  );
}

interface LinkTableProps {
  readonly links: readonly CausalLink[];
  readonly window: TimeWindow;
  readonly at: string;
  readonly onLink: (id: string) => void;
}

/** The edges of the graph, a row for each. */
function LinkTable(props: LinkTableProps) {
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
    column(t('column.cause'), (link) => (
      <span className={css['content']} lang="">
        <LinkButton onClick={() => onLink(linkId(link))}>{link.cause}</LinkButton>
      </span>
    )),
    column(t('column.relation'), ({ relation, contradicted }) =>
      contradicted
        ? t('relation.disputed', { relation: t(`relation.${relation}`) })
        : t(`relation.${relation}`),
    ),
    column(t('column.effect'), ({ effect }) => <span lang="">{effect}</span>),
    endColumn(t('column.confidence'), ({ confidence }) => format.percent(confidence)),
    endColumn(t('column.evidence'), ({ evidence_memory_ids: ids }) => format.integer(ids.length)),
    column(t('column.valid'), ({ valid_at: validAt, invalid_at: invalidAt }) => (
      <ValidityCell validAt={validAt} invalidAt={invalidAt} window={window} at={at} />
    )),
  ];
}
