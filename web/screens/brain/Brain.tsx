import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MODULE_TYPES } from '../../../brain/node-types.ts';
import type { BrainAnswered } from '../../../edge/brain/endpoints.ts';
import type { Topology } from '../../../edge/discovery/contract/node.ts';
import { askBrain, routesQuery, topologyQuery } from '../../api/brain.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { text as textField } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import css from './Brain.module.css';
import { type HealthReading, NodePanel, withTopology } from './NodePanel.tsx';
import { litRoutes, RoutesPanel } from './RoutesPanel.tsx';
import { TabNodePanel } from './TabNodePanel.tsx';
import { TopologyPanel } from './TopologyPanel.tsx';
import { useBrainText } from './words/en-brain.ts';

const FIELDS = { node: textField('', 128) };

/** The distributed brain: its nodes, the edges between them and recent routes. */
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

/** The health of all nodes since the screen opened. */
function useTrail(topology: Topology): readonly HealthReading[] {
  const [trail, setTrail] = useState<readonly HealthReading[]>([]);
  const grown = withTopology(trail, topology);
  if (grown !== trail) setTrail(grown);
  return grown;
}

interface AskPanelProps {
  /** Called with the route of a question. */
  readonly onRoute: (routeId: string) => void;
}

/** Target modules; '' leaves the choice to the PFC. */
const TARGETS = ['', ...MODULE_TYPES] as const;
type Target = (typeof TARGETS)[number];

/** Asks the brain a question and shows its response. */
function AskPanel({ onRoute }: AskPanelProps) {
  const { t } = useBrainText();
  const [text, setText] = useState('');
  const [target, setTarget] = useState<Target>('');
  const queries = useQueryClient();
  const asking = useMutation({
    mutationFn: askBrain,
    onSuccess: ({ route }) => onRoute(route.route_id),
    onSettled: () => queries.invalidateQueries(routesQuery),
  });
  const isReady = text.trim() !== '' && !asking.isPending;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) asking.mutate({ text, ...(target !== '' && { target }) });
  };
  return (
    <Panel title={t('ask.title')} note={t('ask.note')}>
      <form className={css['ask']} onSubmit={ask}>
        <TextField label={t('ask.text')} value={text} maxLength={2_000} onChange={setText} />
        <SelectField
          label={t('ask.target')}
          options={TARGETS.map((value) => ({ value, label: value || t('ask.fits') }))}
          value={target}
          onChange={setTarget}
        />
        <Button type="submit" tone="primary" state={isReady ? 'ready' : 'blocked'}>
          {t('ask.do')}
        </Button>
      </form>
      {asking.isError && <ErrorState error={asking.error} />}
      {asking.data && <Answer answered={asking.data} />}
    </Panel>
  );
}

function Answer({ answered: { answer, route } }: { readonly answered: BrainAnswered }) {
  const { t, format } = useBrainText();
  const { text, classes, command } = answer.outputs;
  const by = {
    node: answer.node_id,
    type: answer.module_type,
    ms: format.number(answer.total_ms),
  };
  const shares = classes
    ?.slice(0, 3)
    .map(({ label, probability }) => t('ask.class', { label, share: format.percent(probability) }));
  return (
    <Stack as="output" gap={1}>
      <strong>{text ?? format.list(shares ?? command?.map(format.number) ?? [])}</strong>
      <span>{t('ask.by', by)}</span>
      <span lang="en">{route.reason}</span>
    </Stack>
  );
}
