import type { DiscoveryStatus, NodeInfo, Topology } from '../../../edge/discovery/contract/node.ts';
import { TOPOLOGY_EVERY_MS } from '../../api/brain.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import css from './Brain.module.css';
import { type BrainText, useBrainText } from './words/en-brain.ts';

/** The time range of the health chart. */
const RANGE_MS = 5 * 60_000;

interface NodePanelProps {
  readonly nodeId: string;
  /** Undefined where it is no longer known. */
  readonly node: NodeInfo | undefined;
  readonly trail: readonly HealthReading[];
  readonly onClose: () => void;
}

/** One node: its metadata and its health over time. */
export function NodePanel({ nodeId, node, trail, onClose }: NodePanelProps) {
  const text = useBrainText();
  const { t, format } = text;
  const to = (trail.at(-1)?.at ?? 0) + TOPOLOGY_EVERY_MS;
  return (
    <Panel
      title={nodeId}
      actions={
        <Button icon="close" onClick={onClose}>
          {t('node.close')}
        </Button>
      }
    >
      {node ? <Facts facts={factsOf(text, node)} /> : <p>{t('node.gone')}</p>}
      <TimeChart
        title={t('node.health')}
        series={[{ name: nodeId, points: healthOf(trail, nodeId) }]}
        range={{ from: to - RANGE_MS, to, stepMs: TOPOLOGY_EVERY_MS }}
        write={format.percent}
      />
      {node && (
        <details>
          <summary>{t('node.more')}</summary>
          <pre className={css['metadata']}>{JSON.stringify(node.metadata, null, 2)}</pre>
        </details>
      )}
    </Panel>
  );
}

const USED = [
  ['node.cpu', 'cpu_percent'],
  ['node.memory', 'memory_percent'],
  ['node.disk', 'disk_percent'],
] as const;

function factsOf({ t, format }: BrainText, node: NodeInfo) {
  const { metadata } = node;
  const { phi } = metadata;
  const used = USED.flatMap(([label, name]) => {
    const percent = metadata[name];
    return typeof percent === 'number'
      ? [{ label: t(label), value: format.percent(percent / 100) }]
      : [];
  });
  return [
    { label: t('column.status'), value: <StatusBadge status={node.status} /> },
    { label: t('column.health'), value: format.percent(node.health_score) },
    ...(typeof phi === 'number' ? [{ label: t('node.phi'), value: format.number(phi) }] : []),
    {
      label: t('node.seen'),
      value: <RelativeTime time={new Date(node.last_seen * 1000).toISOString()} />,
    },
    { label: t('column.type'), value: node.module_type },
    { label: t('column.region'), value: node.region_id || t('graph.nowhere') },
    { label: t('node.host'), value: node.host },
    ...used,
  ];
}

/** The health of the nodes at a moment, in ms since 1970. */
export interface HealthReading {
  readonly at: number;
  readonly scores: ReadonlyMap<string, number>;
}

/** Stored readings: ten minutes at one every 2 s. */
const MAX_READINGS = 300;

/** Appends a reading, unless it is already there. */
export function withTopology(
  trail: readonly HealthReading[],
  { nodes, timestamp }: Topology,
): readonly HealthReading[] {
  const at = timestamp * 1000;
  if ((trail.at(-1)?.at ?? 0) >= at) return trail;
  const scores = new Map(nodes.map(({ node_id: id, health_score: score }) => [id, score]));
  return [...trail, { at, scores }].slice(-MAX_READINGS);
}

/** The health of one node over time; null where it was absent. */
const healthOf = (trail: readonly HealthReading[], nodeId: string) =>
  trail.map(({ at, scores }) => [at, scores.get(nodeId) ?? null] as const);

const TONES: Readonly<Record<DiscoveryStatus, BadgeTone>> = {
  active: 'good',
  inactive: 'neutral',
  error: 'bad',
};

function StatusBadge({ status }: { readonly status: DiscoveryStatus }) {
  const { t } = useBrainText();
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}
