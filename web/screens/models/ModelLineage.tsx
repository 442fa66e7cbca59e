import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import {
  type Lineage,
  type LineageNode,
  MAX_LINEAGE_DEPTH,
} from '../../../edge/registry/contract/lineage.ts';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { lineageQuery } from '../../api/registry-versions.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { layOutLineage, NODE } from './lineage-layout.ts';
import graph from './Lineage.module.css';
import css from './Model.module.css';
import { type ModelsText, useModelsText } from './words/en-models.ts';

interface ModelLineageProps {
  readonly model: ModelDetails;
  readonly depth: number;
  readonly onDepth: (depth: number) => void;
}

/** The lineage of a version, as a graph and as a table. */
export function ModelLineage({ model, depth, onDepth }: ModelLineageProps) {
  const text = useModelsText();
  const { t } = text;
  const address = { id: model.model_id, version: model.version };
  return (
    <Resource
      query={useQuery({ ...lineageQuery(address, depth), placeholderData: keepPreviousData })}
      skeleton={{ lines: 6, lineRem: 3 }}
      isEmpty={({ nodes }) => nodes.length <= 1}
      empty={<EmptyState title={t('lineage.alone')}>{t('lineage.aloneHelp')}</EmptyState>}
    >
      {(lineage) => (
        <ChartFrame
          title={t('lineage.title', { model: `${model.name} ${model.version}` })}
          sentences={sentencesOf(text, lineage, model)}
          controls={
            <div className={css['version']}>
              <NumberField
                label={t('lineage.depth')}
                value={depth}
                rule={{ kind: 'integer', min: 1, max: MAX_LINEAGE_DEPTH }}
                step={1}
                onChange={onDepth}
              />
            </div>
          }
          table={() => tableOf(text, lineage)}
        >
          <LineageGraph lineage={lineage} />
        </ChartFrame>
      )}
    </Resource>
  );
}

function sentencesOf({ t }: ModelsText, { nodes, truncated }: Lineage, model: ModelDetails) {
  const things = (sign: number) =>
    t('lineage.things', {
      count: nodes.filter(({ generation }) => Math.sign(generation) === sign).length,
    });
  const sentence = t('lineage.sentence', {
    model: model.name,
    ancestors: things(-1),
    descendants: things(1),
  });
  return truncated ? [sentence, t('lineage.truncated')] : [sentence];
}

function tableOf({ t }: ModelsText, { nodes, edges }: Lineage) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const words = (id: string) => {
    const node = byId.get(id);
    return node ? `${t(`lineage.${node.kind}`)}: ${node.label}` : id;
  };
  return {
    columns: [t('lineage.to'), t('lineage.relation'), t('lineage.from')],
    rows: edges.map(({ source, target, relation }) => [
      words(source),
      t(`lineage.${relation}`),
      words(target),
    ]),
  };
}

/** The graph: edges in SVG, nodes as links above it for keyboards and screen readers. */
function LineageGraph({ lineage }: { readonly lineage: Lineage }) {
  const { t } = useModelsText();
  const { width, height, nodes, edges } = layOutLineage(lineage);
  return (
    <section
      className={graph['scroll']}
      aria-label={t('tab.lineage')}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      <div className={graph['graph']} style={{ width, height }}>
        <svg className={graph['edges']} width={width} height={height} aria-hidden="true">
          {edges.map(({ edge, path }) => (
            <path key={edge.id} className={graph[edge.relation]} d={path} />
          ))}
        </svg>
        <ul>
          {nodes.map(({ node, x, y }) => (
            <li
              key={node.id}
              ref={node.id === lineage.root ? bringIntoView : undefined}
              className={graph['place']}
              style={{ left: x, top: y, width: NODE.width, height: NODE.height }}
            >
              <Node node={node} isRoot={node.id === lineage.root} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Scrolls a wide graph to the version it is about, and the page not at all. */
function bringIntoView(place: HTMLElement | null) {
  const scroll = place?.closest('section');
  if (place && scroll) scroll.scrollLeft = place.offsetLeft - scroll.clientWidth / 2;
}

function Node({ node, isRoot }: { readonly node: LineageNode; readonly isRoot: boolean }) {
  const { t } = useModelsText();
  const { kind, label, state, model_id: id, version, digest } = node;
  const kindText = isRoot ? t('lineage.here') : t(`lineage.${kind}`);
  const words = (
    <>
      <span className={graph['kind']}>
        {state === 'present' ? kindText : `${kindText} · ${t(`lineage.${state}`)}`}
      </span>
      <span className={graph['label']}>{label}</span>
    </>
  );
  const className = classNames(graph['node'], graph[kind], graph[state], isRoot && graph['root']);
  if (kind === 'version' && state === 'present' && id !== null && version !== null) {
    const query = new URLSearchParams({ version, tab: 'lineage' });
    return (
      <Link
        className={className}
        href={`/models/${encodeURIComponent(id)}?${query}`}
        aria-current={isRoot ? 'true' : undefined}
        title={label}
      >
        {words}
      </Link>
    );
  }
  return (
    <div className={className} title={digest ?? label}>
      {words}
    </div>
  );
}
