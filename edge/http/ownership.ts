import { KEY_ID } from '../access/contract/api-key.ts';
import { DEFAULT_TEAM, QUOTAS, type QuotaName, QuotaSettings } from '../contract/team.ts';
import { allows, type Caller } from './caller.ts';
import { Problem } from './problem.ts';

/** Whose something is; rows keep both. */
export interface Ownership {
  readonly owner: string;
  readonly team: string;
}

/**
 * The name by which rows know a caller: a key's id, whose sessions are one with it, the subject of a
 * token, or `local`. A subject that reads like one of the others is marked as such.
 */
export function ownerOf(caller: Caller): string {
  if (!('id' in caller)) return caller.kind;
  const { kind, id } = caller;
  const isMistakable = KEY_ID.test(id) || /^(?:local|anonymous|system|token:.*)$/s.test(id);
  return kind === 'token' && isMistakable ? `token:${id}` : id;
}

/**
 * The name of an owner in the names of objects and in rows of before there were teams: `key:<id>`,
 * `token:<subject>`, `local`. It says the kind, and never changes: what is stored lies under it.
 */
export function holderOf(caller: Caller): string {
  if (!('id' in caller)) return caller.kind;
  return `${caller.kind === 'token' ? 'token' : 'key'}:${caller.id}`;
}

export const teamOf = (caller: Caller): string =>
  caller.kind === 'anonymous' ? DEFAULT_TEAM : caller.team;

export const ownershipOf = (caller: Caller): Ownership => ({
  owner: ownerOf(caller),
  team: teamOf(caller),
});

/** True if a resource is visible to a caller: their own team's, or any for administrators. */
export const maySee = (caller: Caller, { team }: Pick<Ownership, 'team'>): boolean =>
  allows(caller, 'admin') || (caller.kind !== 'anonymous' && caller.team === team);

/**
 * The team whose resources a request concerns: the caller's own, unless an administrator names another.
 *
 * @throws Problem forbidden
 */
export function namedTeam(caller: Caller, asked: string | undefined): string {
  const own = teamOf(caller);
  if (asked === undefined || asked === own || allows(caller, 'admin')) return asked ?? own;
  throw new Problem('forbidden', 'team: only administrators look at what other teams have.', {
    members: { missing_scope: 'admin' },
  });
}

/** The team that lists are narrowed to for a caller; undefined where they show those of all teams. */
export const teamSeen = (caller: Caller): string | undefined =>
  allows(caller, 'admin') ? undefined : teamOf(caller);

/** True if a caller may change a resource: its owner and administrators. */
export function mayChange(caller: Caller, row: Ownership): boolean {
  if (!maySee(caller, row)) return false;
  return row.owner === ownerOf(caller) || allows(caller, 'team:admin');
}

/**
 * Lets a caller pass who may change something. What other teams have does not exist for them: the
 * answer is that of something unknown.
 *
 * @throws Problem forbidden, or what `notFound` makes
 */
export function requireChange(
  caller: Caller,
  row: Ownership,
  { what, notFound }: { readonly what: string; readonly notFound: () => Problem },
): void {
  if (!maySee(caller, row)) throw notFound();
  if (mayChange(caller, row)) return;
  throw new Problem(
    'forbidden',
    `${what} belongs to ${row.owner} of your team: changing it needs that key, or the scope team:admin.`,
    { members: { missing_scope: 'team:admin', owner: row.owner } },
  );
}

/** Current usage of an owner and their team. */
export interface Used {
  readonly owner: number;
  readonly team: number;
}

/** Quotas freed by waiting respond 429 with Retry-After; those freed by deleting, 403. */
const FREED_BY_WAITING_S: Partial<Record<QuotaName, number>> = {
  mqtt_sessions: 60,
  sockets: 10,
  jobs: 60,
  brokers: 86_400,
};

interface Demand {
  readonly quota: QuotaName;
  readonly used: Used;
  /** How much is to be added; one where it is left out. */
  readonly adding?: number;
  /** The setting `QUOTAS` of the deployment. */
  readonly settings: unknown;
}

/**
 * Checks a quota before something is added; `admin` is exempt.
 *
 * @throws Problem quota_exceeded or rate_limited, each with `quota`, `scope`, `limit`, `used` and
 * `reset_s`, which is null where only a deletion helps
 */
export function requireQuota(caller: Caller, demand: Demand): void {
  if (allows(caller, 'admin')) return;
  const refusal = quotaRefusal(teamOf(caller), demand);
  if (refusal) throw refusal;
}

/** The refusal where a quota of an owner or their team is exceeded, else undefined. */
export function quotaRefusal(
  team: string,
  { quota, used, adding = 1, settings }: Demand,
): Problem | undefined {
  const limits = limitsIn(settings, quota);
  const scope = SHARES.find((part) => used[part] + adding > limits[part]);
  if (scope === undefined) return undefined;
  const reset = FREED_BY_WAITING_S[quota] ?? null;
  const { [scope]: limit } = limits;
  const { [scope]: have } = used;
  const whose = scope === 'owner' ? 'This key' : `The team ${team}`;
  const way = reset === null ? 'delete some' : `end some, or try again in ${reset} s`;
  const asked = adding === 1 ? '' : ` and asks for ${adding} more`;
  const detail = `${quota}: ${whose} has ${have} of ${limit}${asked}: ${way}, or ask an administrator.`;
  return new Problem(reset === null ? 'quota_exceeded' : 'rate_limited', detail, {
    members: { quota, scope, limit, used: have, reset_s: reset },
    headers: reset === null ? {} : { 'retry-after': String(reset) },
  });
}

const SHARES = ['owner', 'team'] as const;

/** The refusal that `requireQuota` makes, for what an object found to be too much. */
export function overQuota(caller: Caller, demand: Demand): Problem {
  const refusal = quotaRefusal(teamOf(caller), demand);
  if (refusal) return refusal;
  throw new Error(`${demand.quota} is not beyond its limits`);
}

/** Limits of a quota for a caller and their team; Infinity for administrators. */
export function limitsOf(caller: Caller, quota: QuotaName, settings: unknown): Used {
  if (allows(caller, 'admin')) return { owner: Infinity, team: Infinity };
  return limitsIn(settings, quota);
}

function limitsIn(settings: unknown, quota: QuotaName): Used {
  const { owner, team } = quotasIn(settings)[quota] ?? {};
  return { owner: owner ?? QUOTAS[quota].owner, team: team ?? QUOTAS[quota].team };
}

/** True if one more would exceed a quota; for objects that count and add in one step. */
export const isBeyond = (limits: Used, used: Used, adding = 1): boolean =>
  SHARES.some((part) => used[part] + adding > limits[part]);

/** Counts in memory what each of several owners holds of something, and what all of them do. */
export class Tally {
  readonly #held = new Map<string, number>();
  #total = 0;

  add(owner: string): void {
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    this.#total += 1;
  }

  remove(owner: string): void {
    const left = (this.#held.get(owner) ?? 0) - 1;
    if (left > 0) this.#held.set(owner, left);
    else this.#held.delete(owner);
    this.#total -= 1;
  }

  /** Usage of one owner; the total is that of the team. */
  usedBy(owner: string): Used {
    return { owner: this.#held.get(owner) ?? 0, team: this.#total };
  }
}

/** The setting `QUOTAS`. @throws TypeError that names what is wrong with it */
export function quotasIn(settings: unknown) {
  if (settings === undefined || settings === '') return {};
  const parsed = QuotaSettings.safeParse(
    typeof settings === 'string' ? jsonOf(settings) : settings,
  );
  if (parsed.success) return parsed.data;
  throw new TypeError(`QUOTAS: ${parsed.error.issues.map(({ message }) => message).join('; ')}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`QUOTAS: expected JSON (got ${JSON.stringify(text.slice(0, 200))})`);
  }
}
