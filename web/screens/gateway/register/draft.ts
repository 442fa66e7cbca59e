import { ProblemError } from '../../../../edge/contract/problem-error.ts';
import type { ServiceRecord, ServiceRegistrationInput } from '../../../../edge/contract/service.ts';
import { isConnected } from '../../../../edge/outward/contract/connection.ts';

/** A registration as it is typed: whatever it is, in letters. */
export interface Draft {
  readonly name: string;
  readonly version: string;
  readonly tags: string;
  readonly meta: string;
  readonly ttl: string;
  readonly instances: readonly InstanceDraft[];
  readonly health: HealthDraft;
}

export interface InstanceDraft {
  /** Stays the same while others come and go. */
  readonly key: number;
  readonly id: string;
  readonly url: string;
  readonly weight: string;
  readonly region: string;
}

interface HealthDraft {
  readonly path: string;
  readonly interval: string;
  readonly timeout: string;
  readonly failures: string;
  readonly successes: string;
}

export const newInstance = (key: number): InstanceDraft => ({
  key,
  id: '',
  url: '',
  weight: '1',
  region: '',
});

export const EMPTY: Draft = {
  name: '',
  version: '',
  tags: '',
  meta: '',
  ttl: '',
  instances: [newInstance(0)],
  health: { path: '/health', interval: '10', timeout: '2', failures: '3', successes: '2' },
};

/** The registration of a service, ready to be changed. */
export function draftOf(service: ServiceRecord): Draft {
  const { name, version, tags, meta, ttl_s: ttl, health } = service;
  return {
    name,
    version: version ?? '',
    tags: tags.join(', '),
    meta: Object.entries(meta)
      .map(([key, value]) => `${key} = ${value}`)
      .join('\n'),
    ttl: ttl === null ? '' : String(ttl),
    // Those that connected by themselves are no part of the registration.
    instances: service.instances
      .filter(({ url }) => !isConnected(url))
      .map(({ id, url, weight, region_id: region }, key) => ({
        key,
        id,
        url,
        weight: String(weight),
        region: region ?? '',
      })),
    health: {
      path: health.path,
      interval: String(health.interval_s),
      timeout: String(health.timeout_s),
      failures: String(health.failures_before_critical),
      successes: String(health.success_before_passing),
    },
  };
}

/**
 * What is sent. Nothing is judged here: the gateway says what is wrong, and where, so a number that
 * is none goes out as the text it is.
 */
export function registrationOf(draft: Draft): ServiceRegistrationInput {
  const { name, version, tags, meta, ttl, instances, health } = draft;
  const body = {
    name: plain(name),
    ...(plain(version) !== '' && { version: plain(version) }),
    tags: listOf(tags),
    meta: propertiesOf(meta),
    ...(plain(ttl) !== '' && { ttl_s: numberOf(ttl) }),
    instances: instances.map(({ id, url, weight, region }) => ({
      ...(plain(id) !== '' && { id: plain(id) }),
      url: plain(url),
      weight: numberOf(weight),
      ...(plain(region) !== '' && { region_id: plain(region) }),
    })),
    health: {
      path: plain(health.path),
      interval_s: numberOf(health.interval),
      timeout_s: numberOf(health.timeout),
      failures_before_critical: numberOf(health.failures),
      success_before_passing: numberOf(health.successes),
    },
  };
  // The type of a valid registration: whether it is one is for the gateway to say.
  return body as ServiceRegistrationInput;
}

/** Full-width letters and digits stand for what they look like. */
const plain = (typed: string) => typed.normalize('NFKC').trim();

function numberOf(typed: string): number | string {
  const text = plain(typed);
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : text;
}

const listOf = (typed: string) =>
  typed
    .split(/[,、，\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** A line without `=` is a name without a value. */
function propertiesOf(typed: string): Record<string, string> {
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = line, value = ''] = /^([^=＝]*)[=＝](.*)$/.exec(line) ?? [];
      return [name.trim(), value.trim()];
    }),
  );
}

/** What is wrong with a body, by its places. */
export interface Faults {
  /** What is wrong at a place or below it, or undefined. */
  at(pointer: string): string | undefined;
  /** Whether something is wrong at none of these places, so that it has to be said elsewhere. */
  isElsewhere(pointers: readonly string[]): boolean;
}

const isWithin = (pointer: string, place: string) =>
  pointer === place || pointer.startsWith(`${place}/`);

/** The places that a refusal names by JSON Pointers; none where it is about something else. */
export function faultsOf(error: unknown): Faults {
  const items = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return {
    at(place) {
      const here = items.filter(({ pointer = '' }) => isWithin(pointer, place));
      return here.length === 0 ? undefined : here.map(({ detail }) => detail).join(' ');
    },
    isElsewhere: (places) =>
      items.length === 0 ||
      items.some(({ pointer = '' }) => !places.some((place) => isWithin(pointer, place))),
  };
}
