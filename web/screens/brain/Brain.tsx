import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Topology } from '../../../edge/discovery/contract/node.ts';
import { routesQuery, topologyQuery } from '../../api/brain.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { text as textField } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { AskPanel } from './AskPanel.tsx';
import { useBrainText } from './brain-text.ts';
import { type HealthReading, withTopology } from './health-trail.ts';
import { NodePanel } from './NodePanel.tsx';
import { litRoutes } from './routes.ts';
import { RoutesPanel } from './RoutesPanel.tsx';
import { TabNodePanel } from './TabNodePanel.tsx';
import { TopologyPanel } from './TopologyPanel.tsx';

const FIELDS = { node: textField('', 128) };

/** The distributed brain as it is now: its nodes, the ways between them, and what takes them. */
export function Brain() {
  const { t } = useBrainText();
  const query = useQuery(topologyQuery);
  const { data } = query;
  const active = data?.nodes.filter(({ status }) => status === 'active').length ?? 0;
  const count = data?.nodes.length ?? 0;
  return (
    <ResourceScreen
      lead={count > 0 ? t('brain.lead', { active, count }) : t('brain.asking')}
      width="wide"
      query={query}
      skeleton={{ lines: 2, lineRem: 14 }}
    >
      {(topology) => <Found topology={topology} />}
    </ResourceScreen>
  );
}

function NoNodes() {
  const { t } = useBrainText();
  const command = `npm run -s spikegrid -- node --type pfc --gateway ${location.origin}`;
  return (
    <EmptyState
      icon="network"
      title={t('none.title')}
      action={<CommandBox command={command} copy={t('none.copy')} />}
    >
      {t('none.help')}
    </EmptyState>
  );
}

function Found({ topology }: { readonly topology: Topology }) {
  const [{ node: nodeId }, change] = useUrlState(FIELDS);
  const [routeId, setRouteId] = useState<string | undefined>(undefined);
  const trail = useTrail(topology);
  const routes = useQuery(routesQuery);
  const { nodes, timestamp } = topology;
  const regions = [...new Set(nodes.map(({ region_id: id }) => id))];
  const choose = (node: string) => change({ node });
  if (nodes.length === 0) {
    return (
      <>
        <NoNodes />
        {nodeId !== '' && (
          <NodePanel nodeId={nodeId} node={undefined} trail={trail} onClose={() => choose('')} />
        )}
        <TabNodePanel regions={regions} />
      </>
    );
  }
  return (
    <>
      <TopologyPanel
        topology={topology}
        lit={litRoutes(routes.data ?? [], routeId, timestamp)}
        chosen={nodeId}
        onChoose={choose}
      />
      {nodeId !== '' && (
        <NodePanel
          nodeId={nodeId}
          node={nodes.find(({ node_id: id }) => id === nodeId)}
          trail={trail}
          onClose={() => choose('')}
        />
      )}
      <AskPanel onRoute={setRouteId} />
      {routes.error && !routes.data && <ErrorState error={routes.error} />}
      {routes.data && <RoutesPanel routes={routes.data} chosen={routeId} onChoose={setRouteId} />}
      <TabNodePanel regions={regions} />
    </>
  );
}

/** The health of all nodes since the screen was opened. */
function useTrail(topology: Topology): readonly HealthReading[] {
  const [trail, setTrail] = useState<readonly HealthReading[]>([]);
  const grown = withTopology(trail, topology);
  if (grown !== trail) setTrail(grown);
  return grown;
}
