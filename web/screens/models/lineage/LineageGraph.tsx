import { Link } from 'wouter';
import type { Lineage, LineageNode } from '../../../../edge/registry/contract/lineage.ts';
import { classNames } from '../../../ui/class-names.ts';
import { useModelsText } from '../models-text.ts';
import { layOutLineage, NODE } from './lineage-layout.ts';
import css from './Lineage.module.css';

/** The graph: edges drawn in SVG, nodes as links over it, so that keyboards and readers reach them. */
export function LineageGraph({ lineage }: { readonly lineage: Lineage }) {
  const { t } = useModelsText();
  const { width, height, nodes, edges } = layOutLineage(lineage);
  return (
    <section
      className={css['scroll']}
      aria-label={t('tab.lineage')}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      <div className={css['graph']} style={{ width, height }}>
        <svg className={css['edges']} width={width} height={height} aria-hidden="true">
          {edges.map(({ edge, path }) => (
            <path key={edge.id} className={css[edge.relation]} d={path} />
          ))}
        </svg>
        <ul>
          {nodes.map(({ node, x, y }) => (
            <li
              key={node.id}
              ref={node.id === lineage.root ? bringIntoView : undefined}
              className={css['place']}
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

interface NodeProps {
  readonly node: LineageNode;
  readonly isRoot: boolean;
}

function Node({ node, isRoot }: NodeProps) {
  const { t } = useModelsText();
  const { kind, label, state, model_id: id, version, digest } = node;
  const kindWords = isRoot ? t('lineage.here') : t(`lineage.${kind}`);
  const words = (
    <>
      <span className={css['kind']}>
        {state === 'present' ? kindWords : `${kindWords} · ${t(`lineage.${state}`)}`}
      </span>
      <span className={css['label']}>{label}</span>
    </>
  );
  const className = classNames(css['node'], css[kind], css[state], isRoot && css['root']);
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
