import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type CausalLink,
  type CausalNeighbourhood,
  type CausalPath,
  type CausalSupport,
  MAX_CAUSAL_HOPS,
} from '../../../../edge/memory/contract/causal.ts';
import { causalGraphQuery, causalPathQuery } from '../../../api/memory.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { Opened } from '../../../ui/Opened.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import {
  type ChangeMemoryFields,
  graphSearchOf,
  isUnknownNamespace,
  type MemoryFields,
  placeOf,
  startsOf,
  type TimeWindow,
  writeStarts,
} from '../memory-fields.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../words/en-memory.ts';
import { linkId } from './graph-layout.ts';
import { GraphFields } from './GraphFields.tsx';
import { GraphPanel } from './GraphPanel.tsx';
import { LinkPanel } from './LinkPanel.tsx';
import { NodePanel } from './NodePanel.tsx';
import { type ShownGraph, withPath } from './shown-graph.ts';

interface CausesProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onChange: ChangeMemoryFields;
  readonly onMemory: (support: CausalSupport) => void;
}

const NOTHING: CausalNeighbourhood = { nodes: [], links: [], truncated: false };

/** A part of the causal graph, a path through it, and the selected node or edge. */
export function Causes(props: CausesProps) {
  const { fields, onChange } = props;
  const place = placeOf(fields);
  const { from, to, at } = fields;
  const as_of = at === '' ? {} : { as_of: at };
  const path = useQuery(causalPathQuery(place, { from, to, hops: MAX_CAUSAL_HOPS, ...as_of }));
  const starts = startsOf(fields);
  const graph = useQuery({
    ...causalGraphQuery(place, graphSearchOf(fields, starts)),
    placeholderData: keepPreviousData,
  });
  const data = isUnknownNamespace(graph.error) ? NOTHING : graph.data;
  const shown = useMemo(() => withPath(data ?? NOTHING, path.data), [data, path.data]);
  return (
    <>
      <GraphFields fields={fields} nodes={shown.nodes} onChange={onChange} />
      {path.error && data !== NOTHING && (
        <ErrorState error={path.error} onRetry={() => void path.refetch()} />
      )}
      <Resource query={{ ...graph, data }} skeleton={{ lines: 1, lineRem: 20 }}>
        {() => <Found {...props} graph={shown} starts={starts} path={path.data} />}
      </Resource>
    </>
  );
}

interface FoundProps extends CausesProps {
  readonly graph: ShownGraph;
  readonly starts: readonly string[];
  readonly path: CausalPath | undefined;
}

function Found({ fields, window, onChange, onMemory, graph, starts, path }: FoundProps) {
  const { t } = useMemoryText();
  const node = graph.nodes.find(({ key }) => key === fields.node);
  const link = graph.links.find((one) => linkId(one) === fields.link);
  const chooseNode = (key: string) => onChange({ node: key, link: '' });
  const chooseLink = (id: string) => onChange({ link: id, node: '' });
  return (
    <>
      {path && (
        <PathPanel
          path={path}
          from={fields.from}
          to={fields.to}
          onLink={chooseLink}
          onClose={() => onChange({ from: '', to: '' })}
        />
      )}
      {graph.nodes.length === 0 ? (
        <EmptyState icon="network" title={t('graph.none')}>
          {t(starts.length === 0 ? 'graph.noneHelp' : 'graph.unknownHelp')}
        </EmptyState>
      ) : (
        <GraphPanel
          fields={fields}
          window={window}
          graph={graph}
          starts={starts}
          onNode={chooseNode}
          onLink={chooseLink}
          onView={(view) => onChange({ graph: view })}
        />
      )}
      {node && (
        <NodePanel
          node={node}
          links={graph.links}
          isStart={starts.includes(node.key)}
          onExpand={() => onChange({ start: writeStarts([...starts, node.key]) })}
          onAlone={() => onChange({ start: writeStarts([node.key]) })}
          onFrom={() => onChange({ from: node.key })}
          onTo={() => onChange({ to: node.key })}
          onLink={chooseLink}
          onClose={() => chooseNode('')}
        />
      )}
      {link && (
        <Opened key={fields.link}>
          <LinkPanel
            link={link}
            onMemory={onMemory}
            onNode={chooseNode}
            onClose={() => chooseLink('')}
          />
        </Opened>
      )}
    </>
  );
}

interface PathPanelProps {
  readonly path: CausalPath;
  readonly from: string;
  readonly to: string;
  readonly onLink: (id: string) => void;
  readonly onClose: () => void;
}

/** The path from a cause to an effect, a line per step. */
function PathPanel({ path, from, to, onLink, onClose }: PathPanelProps) {
  const { t, format } = useMemoryText();
  const { links, confidence } = path;
  return (
    <Panel
      title={t('path.title')}
      note={
        links.length === 0
          ? t('path.none', { from, to })
          : t('path.sentence', { count: links.length, value: format.percent(confidence) })
      }
      actions={<IconButton icon="close" label={t('path.close')} onClick={onClose} />}
    >
      <ol className={css['ways']} aria-label={t('path.title')}>
        {links.map((link: CausalLink) => (
          <li key={linkId(link)} lang="">
            <LinkButton onClick={() => onLink(linkId(link))}>
              {t(`link.${link.relation}`, { cause: link.cause, effect: link.effect })}
            </LinkButton>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
