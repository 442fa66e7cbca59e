import { useState } from 'react';
import { Panel } from '../../../ui/Panel.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { RangeField } from '../../../ui/RangeField.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Segmented } from '../../../ui/Segmented.tsx';
import { JsonView, jsonFile } from '../JsonView.tsx';
import type { MemoryFields } from '../memory-fields.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import type { TimeWindow } from '../time-window.ts';
import { CausalGraph } from './CausalGraph.tsx';
import { LinkTable } from './LinkTable.tsx';
import { RelationLegend } from './RelationLegend.tsx';
import type { ShownGraph } from './shown-graph.ts';

const VIEWS = ['graph', 'table', 'json'] as const;
type View = (typeof VIEWS)[number];

export interface GraphPanelProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly graph: ShownGraph;
  readonly starts: readonly string[];
  readonly onNode: (key: string) => void;
  readonly onLink: (id: string) => void;
  readonly onView: (view: View) => void;
}

/** The same part of the graph drawn, as a table, or as JSON. */
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
          <div className={css['tools']}>
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
          </div>
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
