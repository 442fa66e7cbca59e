import { type KeyboardEvent, useMemo } from 'react';
import type { BrainRoute } from '../../../edge/brain/contract/reply.ts';
import type { Topology, TopologyEdge } from '../../../edge/discovery/contract/node.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { moveAmong } from '../../widgets/graph/neighbour.ts';
import css from './Brain.module.css';
import { edgesOf, type Layout, layoutOf, NODE, type Placed } from './layout.ts';
import { isTaken } from './RoutesPanel.tsx';
import { type BrainText, useBrainText } from './words/en-brain.ts';

interface TopologyPanelProps {
  readonly topology: Topology;
  /** The highlighted routes. */
  readonly lit: readonly BrainRoute[];
  readonly chosen: string;
  readonly onChoose: (nodeId: string) => void;
}

/** The nodes and the edges between them, as a graph or as a table. */
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

/** The graph of a brain: one node of it takes the focus, the arrow keys lead to the others. */
function TopologyGraph({ topology, lit, chosen, onChoose }: TopologyPanelProps) {
  const { t } = useBrainText();
  const layout = useMemo(() => layoutOf(topology.nodes), [topology]);
  const edges = useMemo(() => edgesOf(layout, topology), [layout, topology]);
  const { nodes, width, height } = layout;
  const current = nodes.find(({ node }) => node.node_id === chosen) ?? nodes[0];
  const move = (event: KeyboardEvent) =>
    moveAmong(event, nodes, ({ node }) => onChoose(node.node_id));
  return (
    <div className={css['scroll']}>
      {/* eslint-disable-next-line jsx-a11y/interactive-supports-focus -- its nodes take the focus */}
      <div
        className={css['graph']}
        style={{ width, height }}
        role="toolbar"
        aria-label={t('graph.nodes')}
        onKeyDown={move}
      >
        <Ground layout={layout} />
        <svg className={css['edges']} width={width} height={height} aria-hidden="true">
          {edges.map(({ edge, path }) => (
            <path
              key={edge.id}
              className={css[kindOf(edge)]}
              data-lit={isTaken(edge, lit) || undefined}
              d={path}
            />
          ))}
        </svg>
        {nodes.map((placed) => (
          <NodeButton
            key={placed.node.node_id}
            placed={placed}
            isCurrent={placed === current}
            isChosen={placed.node.node_id === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

const kindOf = ({ status, relation }: TopologyEdge): string => {
  if (status === 'down') return 'down';
  return relation === 'fallback' ? 'fallback' : 'up';
};

/** The bands of the regions and the names of the columns. */
function Ground({ layout }: { readonly layout: Layout }) {
  const { t } = useBrainText();
  return (
    <>
      {layout.bands.map(({ region, y, height }) => (
        <span key={region} className={css['band']} style={{ top: y, height }}>
          {region === '' ? t('graph.nowhere') : region}
        </span>
      ))}
      {layout.columns.map(({ type, x }) => (
        <span key={type} className={css['column']} style={{ left: x }}>
          {type}
        </span>
      ))}
    </>
  );
}

interface NodeButtonProps {
  readonly placed: Placed;
  /** Whether Tab comes to it. */
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (nodeId: string) => void;
}

function NodeButton({ placed: { node, x, y }, isCurrent, isChosen, onChoose }: NodeButtonProps) {
  const { t, format } = useBrainText();
  const { node_id: id, module_type: type, region_id: region, status, health_score: score } = node;
  const health = format.percent(score);
  return (
    <button
      type="button"
      className={classNames(css['node'], css[`is-${status}`])}
      style={{ left: x, top: y, ...NODE }}
      tabIndex={isCurrent ? 0 : -1}
      aria-pressed={isChosen}
      title={id}
      onClick={() => onChoose(isChosen ? '' : id)}
    >
      <span className="visually-hidden">
        {t('graph.node', { node: id, type, region, status: t(`status.${status}`), health })}
      </span>
      <span className={css['id']} aria-hidden="true">
        {id}
      </span>
      <span className={css['state']} aria-hidden="true">
        {t(`status.${status}`)} {health}
      </span>
    </button>
  );
}
