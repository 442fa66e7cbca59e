import { DiscoveryStatus } from '../../../../edge/discovery/contract/node.ts';
import type { EventType, PlatformEvent } from '../../../../edge/events/contract/platform-event.ts';
import { RegionStatus } from '../../../../edge/geo/contract/region.ts';
import { JobStatus } from '../../../../edge/training/contract/job.ts';
import type { BadgeTone } from '../../../ui/Badge.tsx';
import type { EventsText } from './words/en-events.ts';

/** Subject of an event. */
type About = 'job' | 'model' | 'alert' | 'region' | 'failover' | 'node';

/** An event as people read it. */
interface EventLine {
  readonly about: About;
  readonly tone: BadgeTone;
  readonly sentence: string;
  /** The screen it belongs to. */
  readonly href: string;
}

type Said = Pick<EventLine, 'tone' | 'sentence'>;
type Saying = (t: EventsText['t'], event: PlatformEvent) => Said | undefined;

const ABOUT: Readonly<Record<EventType, About>> = {
  'job.status': 'job',
  'job.checkpoint': 'job',
  'model.registered': 'model',
  'model.alias': 'model',
  'alert.firing': 'alert',
  'alert.resolved': 'alert',
  'region.status': 'region',
  'failover.executed': 'failover',
  'node.status': 'node',
};

const HREFS: Readonly<Record<About, (subject: string) => string>> = {
  job: (id) => `/jobs/${id}`,
  model: (id) => `/models/${id}`,
  alert: () => '/alerts?tab=history',
  region: (id) => `/regions?region=${id}`,
  failover: (id) => `/regions?region=${id}`,
  node: (id) => `/brain?node=${id}`,
};

const SAYINGS: Partial<Readonly<Record<EventType, Saying>>> = {
  'job.status': jobStatus,
  'model.registered': modelRegistered,
  'model.alias': modelAlias,
  'alert.firing': (t, { subject }) => ({
    tone: 'bad',
    sentence: t('alert.firing', { alert: subject }),
  }),
  'alert.resolved': (t, { subject }) => ({
    tone: 'good',
    sentence: t('alert.resolved', { alert: subject }),
  }),
  'region.status': regionStatus,
  'failover.executed': failoverExecuted,
  'node.status': nodeStatus,
};

/** Sentence and link of an event. Events of an unknown kind say that something changed. */
export function eventLine({ t }: Pick<EventsText, 't'>, event: PlatformEvent): EventLine {
  const { type, subject } = event;
  const about = ABOUT[type];
  const said = SAYINGS[type]?.(t, event) ?? {
    tone: 'neutral',
    sentence: t('event.other', { subject }),
  };
  return { about, ...said, href: HREFS[about](encodeURIComponent(subject)) };
}

const JOB_TONES: Readonly<Record<JobStatus, BadgeTone>> = {
  queued: 'neutral',
  validating: 'neutral',
  running: 'neutral',
  recovering: 'warn',
  cancelling: 'neutral',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

function jobStatus(t: EventsText['t'], { subject: job, data }: PlatformEvent): Said | undefined {
  const status = JobStatus.safeParse(data['to']).data;
  return status && { tone: JOB_TONES[status], sentence: t(`job.${status}`, { job }) };
}

function modelRegistered(t: EventsText['t'], { subject: model, data }: PlatformEvent): Said {
  const key = data['status'] === 'READY' ? 'model.ready' : 'model.registered';
  return { tone: 'neutral', sentence: t(key, { model, version: wordOf(data['version']) }) };
}

function modelAlias(t: EventsText['t'], { subject: model, data }: PlatformEvent): Said {
  const [alias, from, to] = [wordOf(data['alias']), wordOf(data['from']), wordOf(data['to'])];
  const tone = 'neutral';
  if (to === '') return { tone, sentence: t('alias.removed', { alias, model }) };
  if (from === '') return { tone, sentence: t('alias.set', { alias, model, to }) };
  return { tone, sentence: t('alias.moved', { alias, model, from, to }) };
}

const REGION_TONES: Readonly<Record<RegionStatus, BadgeTone>> = {
  online: 'good',
  offline: 'bad',
  degraded: 'warn',
  maintenance: 'neutral',
  unknown: 'warn',
};

function regionStatus(
  t: EventsText['t'],
  { subject: region, data }: PlatformEvent,
): Said | undefined {
  const status = RegionStatus.safeParse(data['to']).data;
  return status && { tone: REGION_TONES[status], sentence: t(`region.${status}`, { region }) };
}

function failoverExecuted(t: EventsText['t'], { subject: from, data }: PlatformEvent): Said {
  const to = wordOf(data['to_region']);
  return data['success'] === true
    ? { tone: 'warn', sentence: t('failover.made', { from, to }) }
    : { tone: 'bad', sentence: t('failover.failed', { from }) };
}

const NODE_TONES = {
  active: 'good',
  inactive: 'warn',
  error: 'bad',
  forgotten: 'neutral',
} as const;
const NODE_STATES = [...DiscoveryStatus.options, 'forgotten'] as const;

function nodeStatus(t: EventsText['t'], { subject: node, data }: PlatformEvent): Said | undefined {
  const state = NODE_STATES.find((one) => one === data['to']);
  if (!state) return undefined;
  const tone = NODE_TONES[state];
  if (state !== 'active' || data['from'] !== 'unknown') {
    return { tone, sentence: t(`node.${state}`, { node }) };
  }
  const [module, region] = [wordOf(data['module_type']), wordOf(data['region_id'])];
  return { tone, sentence: t('node.joined', { node, module, region }) };
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
