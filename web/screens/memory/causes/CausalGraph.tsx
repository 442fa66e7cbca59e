import { type KeyboardEvent, type MouseEvent, useMemo } from 'react';
import { CausalRelation } from '../../../../edge/memory/contract/causal.ts';
import { classNames } from '../../../ui/class-names.ts';
import { moveAmong } from '../../../widgets/graph/neighbour.ts';
import css from '../Graph.module.css';
import { useMemoryText } from '../words/en-memory.ts';
import { layOutGraph, NODE, type PlacedLink, type PlacedNode } from './graph-layout.ts';
import type { ShownGraph } from './shown-graph.ts';

interface CausalGraphProps {
  readonly graph: ShownGraph;
  /** The start nodes of the graph. */
  readonly starts: readonly string[];
  readonly node: string;
  readonly link: string;
  /** The zoom factor, 1 for the natural size. */
  readonly scale: number;
  readonly onNode: (key: string) => void;
  readonly onLink: (id: string) => void;
}

/** Causes and effects: one node takes the focus, the arrow keys lead to the others. */
export function CausalGraph(props: CausalGraphProps) {
  const { graph, starts, node: chosen, link: chosenLink, scale, onNode, onLink } = props;
  const { t } = useMemoryText();
  const { nodes, links, width, height } = useMemo(
    () => layOutGraph(graph.nodes, graph.links),
    [graph],
  );
  const current = nodes.find(({ node }) => node.key === chosen) ?? nodes[0];
  const move = (event: KeyboardEvent) => moveAmong(event, nodes, ({ node }) => onNode(node.key));
  // For the keyboard, the panels of the nodes and the table list the edges too.
  const clickLink = ({ target }: MouseEvent) => {
    const id = target instanceof SVGElement ? target.dataset['link'] : undefined;
    if (id !== undefined) onLink(id);
  };
  return (
    <div className={css['scroll']}>
      {/* eslint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- its nodes take the focus, and lead to their edges */}
      <div
        className={css['graph']}
        style={{ width, height, zoom: scale }}
        role="toolbar"
        aria-label={t('graph.nodes')}
        onKeyDown={move}
        onClick={clickLink}
      >
        <svg className={css['links']} width={width} height={height} aria-hidden="true">
          <LinkEnds />
          {links.map((placed) => (
            <Edge
              key={placed.id}
              placed={placed}
              isLit={graph.lit.has(placed.id)}
              isChosen={placed.id === chosenLink}
            />
          ))}
        </svg>
        {nodes.map((placed) => (
          <NodeButton
            key={placed.node.key}
            placed={placed}
            isStart={starts.includes(placed.node.key)}
            isCurrent={placed === current}
            isChosen={placed.node.key === chosen}
            onNode={onNode}
          />
        ))}
      </div>
    </div>
  );
}

interface EdgeProps {
  readonly placed: PlacedLink;
  readonly isLit: boolean;
  readonly isChosen: boolean;
}

function Edge({ placed: { link, id, path, middle }, isLit, isChosen }: EdgeProps) {
  const { relation, confidence, contradicted } = link;
  const end = relation === 'correlates' ? undefined : `url(#end-${relation})`;
  return (
    <g>
      <path
        className={css[relation]}
        d={path}
        // Width shows confidence.
        strokeWidth={1 + 2 * confidence}
        data-lit={isLit || undefined}
        data-chosen={isChosen || undefined}
        markerEnd={end}
      />
      {contradicted && <path className={css['contradicted']} d={crossAt(middle)} />}
      <path className={css['hit']} d={path} data-link={id} />
    </g>
  );
}

const crossAt = ({ x, y }: PlacedLink['middle']): string => `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`;

interface NodeButtonProps {
  readonly placed: PlacedNode;
  readonly isStart: boolean;
  /** Whether Tab comes to it. */
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  readonly onNode: (key: string) => void;
}

function NodeButton({ placed, isStart, isCurrent, isChosen, onNode }: NodeButtonProps) {
  const { t } = useMemoryText();
  const { node, x, y } = placed;
  const { key, label, incoming, outgoing } = node;
  return (
    <button
      type="button"
      className={classNames(css['node'], isStart && css['start'])}
      style={{ left: x, top: y, ...NODE }}
      tabIndex={isCurrent ? 0 : -1}
      aria-pressed={isChosen}
      title={label}
      onClick={() => onNode(isChosen ? '' : key)}
    >
      <span className={css['label']} lang="">
        {label}
      </span>
      <span className={css['degree']} aria-hidden="true">
        {t('node.degree', { incoming, outgoing })}
      </span>
      <span className="visually-hidden">{t('node.spoken', { incoming, outgoing })}</span>
    </button>
  );
}

/** Directed relations end in an arrow, or in a bar if they prevent something. */
const DIRECTED = CausalRelation.options.filter((relation) => relation !== 'correlates');

/** The end markers of edges, one per colour. */
function LinkEnds() {
  return (
    <defs>
      {DIRECTED.map((relation) => (
        <marker
          key={relation}
          id={`end-${relation}`}
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="10"
          markerHeight="10"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          {relation === 'prevents' ? (
            <path className={css['barEnd']} d="M8 0V10" />
          ) : (
            <path className={css['arrowEnd']} d="M0 0 10 5 0 10Z" />
          )}
        </marker>
      ))}
    </defs>
  );
}

/** The legend of edge kinds and marks. */
export function RelationLegend() {
  const { t } = useMemoryText();
  return (
    <ul className={css['legend']} aria-label={t('relation.legend')}>
      {CausalRelation.options.map((relation) => (
        <li key={relation}>
          <svg viewBox="0 0 40 10" aria-hidden="true">
            <path
              className={css[relation]}
              strokeWidth={2}
              d="M0 5H38"
              markerEnd={relation === 'correlates' ? undefined : `url(#end-${relation})`}
            />
          </svg>
          {t(`relation.${relation}`)}
        </li>
      ))}
      <li>
        <svg viewBox="0 0 40 10" aria-hidden="true">
          <path className={css['contradicted']} d="M15 0l10 10m0 -10l-10 10" />
        </svg>
        {t('relation.contradicted')}
      </li>
    </ul>
  );
}
