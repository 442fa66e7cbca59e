import type { BrainRoute } from '../../../edge/brain/contract/reply.ts';
import type { TopologyEdge } from '../../../edge/discovery/contract/node.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { type BrainText, useBrainText } from './words/en-brain.ts';

interface RoutesPanelProps {
  readonly routes: readonly BrainRoute[];
  /** The highlighted route. */
  readonly chosen: string | undefined;
  readonly onChoose: (routeId: string | undefined) => void;
}

/** The recent routes of questions; each can be highlighted in the graph. */
export function RoutesPanel(props: RoutesPanelProps) {
  const text = useBrainText();
  const title = text.t('routes.title');
  return (
    <Panel title={title}>
      {props.routes.length === 0 ? (
        <p>{text.t('routes.none')}</p>
      ) : (
        <Table
          caption={title}
          columns={columnsOf(text, props)}
          rows={props.routes}
          rowKey={({ route_id: id }) => id}
          rowHeader="none"
          height="limited"
        />
      )}
    </Panel>
  );
}

const TONES: Readonly<Record<BrainRoute['status'], BadgeTone>> = {
  answered: 'good',
  refused: 'warn',
  silent: 'bad',
};

function columnsOf(
  { t, format }: BrainText,
  { chosen, onChoose }: RoutesPanelProps,
): readonly Column<BrainRoute>[] {
  return [
    column(t('column.way'), ({ route_id: id, pfc, node_id: node }) => (
      <Toggle
        state={id === chosen ? 'on' : 'off'}
        onToggle={(state) => onChoose(state === 'on' ? id : undefined)}
      >
        {t('routes.took', { from: pfc.node_id, to: node ?? t('routes.nobody') })}
      </Toggle>
    )),
    column(t('column.when'), ({ at }) => <RelativeTime time={at} />),
    column(t('column.target'), ({ target }) => target),
    column(t('column.why'), ({ reason }) => <span lang="en">{reason}</span>),
    column(t('column.result'), ({ status }) => (
      <Badge tone={TONES[status]}>{t(`result.${status}`)}</Badge>
    )),
    endColumn(t('column.took'), ({ total_ms: ms }) => t('routes.ms', { ms: format.number(ms) })),
  ];
}

/** How long the latest routes are highlighted while none is chosen. */
const LIT_S = 10;

/** The highlighted routes: the chosen one, or those of the last seconds. `now` in seconds. */
export function litRoutes(
  routes: readonly BrainRoute[],
  chosen: string | undefined,
  now: number,
): readonly BrainRoute[] {
  if (chosen !== undefined) return routes.filter(({ route_id: id }) => id === chosen);
  return routes.filter(({ at }) => now - Date.parse(at) / 1000 < LIT_S);
}

/** Whether one of the routes uses an edge. */
export const isTaken = (edge: TopologyEdge, routes: readonly BrainRoute[]): boolean =>
  routes.some(
    ({ pfc, hops }) =>
      pfc.node_id === edge.source &&
      hops.some(
        (hop) => hop.node_id === edge.target && hop.fallback === (edge.relation === 'fallback'),
      ),
  );
