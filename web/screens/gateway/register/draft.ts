import { ProblemError } from '../../../../edge/contract/problem-error.ts';
import type { ServiceRecord, ServiceRegistrationInput } from '../../../../edge/contract/service.ts';
import { isConnected } from '../../../../edge/outward/contract/connection.ts';

/** A registration as it is typed: all values are strings. */
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
  /** A React key that is stable while others are added and removed. */
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

/** The draft for an existing service. */
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
    // Connected instances are not part of the registration.
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
 * The request body, not validated: the gateway reports faults by field, so text that is no number
 * is sent as it is.
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

/** Maps full-width letters and digits to ASCII. */
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

/** The faults of a request body by JSON pointer. */
export interface Faults {
  /** The faults at or below a pointer, or undefined. */
  at(pointer: string): string | undefined;
  /** Whether a fault lies outside these pointers, or names none. */
  isElsewhere(pointers: readonly string[]): boolean;
}

const isWithin = (pointer: string, place: string) =>
  pointer === place || pointer.startsWith(`${place}/`);

/** The faults that a refusal names by JSON pointers. */
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
