import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  MAX_CAUSAL_HOPS,
  type CausalNeighbourhood,
  type CausalPath,
  type CausalSupport,
} from '../../../../edge/memory/contract/causal.ts';
import { causalGraphQuery, causalPathQuery } from '../../../api/memory.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Opened } from '../../../ui/Opened.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import {
  type ChangeMemoryFields,
  graphSearchOf,
  type MemoryFields,
  placeOf,
  startsOf,
  writeStarts,
} from '../memory-fields.ts';
import { useMemoryText } from '../memory-text.ts';
import type { TimeWindow } from '../time-window.ts';
import { isUnknownNamespace } from '../unknown-namespace.ts';
import { linkId } from './graph-layout.ts';
import { GraphFields } from './GraphFields.tsx';
import { GraphPanel } from './GraphPanel.tsx';
import { LinkPanel } from './LinkPanel.tsx';
import { NodePanel } from './NodePanel.tsx';
import { PathPanel } from './PathPanel.tsx';
import { type ShownGraph, withPath } from './shown-graph.ts';

export interface CausesProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onChange: ChangeMemoryFields;
  readonly onMemory: (support: CausalSupport) => void;
}

const NOTHING: CausalNeighbourhood = { nodes: [], links: [], truncated: false };

/** The causal graph: a part of it, a way through it, and what is chosen of it. */
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
  const { error, refetch } = graph;
  const data = isUnknownNamespace(error) ? NOTHING : graph.data;
  const shown = useMemo(() => withPath(data ?? NOTHING, path.data), [data, path.data]);
  return (
    <>
      <GraphFields fields={fields} nodes={shown.nodes} onChange={onChange} />
      {path.error && data !== NOTHING && (
        <ErrorState error={path.error} onRetry={() => void path.refetch()} />
      )}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={1} lineRem={20} />}
      {data && <Found {...props} graph={shown} starts={starts} path={path.data} />}
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
