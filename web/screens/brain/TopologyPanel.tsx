import type { BrainRoute } from '../../../edge/brain/contract/reply.ts';
import type { Topology } from '../../../edge/discovery/contract/node.ts';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { type BrainText, useBrainText } from './brain-text.ts';
import css from './Brain.module.css';
import { TopologyGraph } from './TopologyGraph.tsx';

export interface TopologyPanelProps {
  readonly topology: Topology;
  /** The routes whose ways are lit. */
  readonly lit: readonly BrainRoute[];
  readonly chosen: string;
  readonly onChoose: (nodeId: string) => void;
}

/** The nodes and the ways between them, as a graph or as a table. */
export function TopologyPanel({ topology, ...graph }: TopologyPanelProps) {
  const text = useBrainText();
  const { t } = text;
  const { edges } = topology;
  const up = edges.filter(({ status }) => status === 'up').length;
  return (
    <ChartFrame
      title={t('graph.title')}
      sentences={[t('graph.sentence', { up, count: edges.length })]}
      legend={<Legend />}
      table={() => tableOf(text, topology)}
    >
      <TopologyGraph topology={topology} {...graph} />
    </ChartFrame>
  );
}

const KINDS = ['up', 'fallback', 'down', 'lit'] as const;

function Legend() {
  const { t } = useBrainText();
  return (
    <ul className={css['legend']}>
      {KINDS.map((kind) => (
        <li key={kind}>
          <svg viewBox="0 0 32 8" aria-hidden="true">
            <path className={css[kind]} d="M0 4H32" />
          </svg>
          {t(`graph.${kind}`)}
        </li>
      ))}
    </ul>
  );
}

function tableOf({ t, format }: BrainText, { nodes }: Topology) {
  return {
    columns: [
      t('column.node'),
      t('column.type'),
      t('column.region'),
      t('column.status'),
      t('column.health'),
    ],
    rows: nodes.map((node) => [
      node.node_id,
      node.module_type,
      node.region_id,
      t(`status.${node.status}`),
      format.number(node.health_score),
    ]),
  };
}
