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
 * token, or `local`. A subject that reads like one of the others is marked as what it is.
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

/** Whether something is there for a caller: what another team has is not, for all but administrators. */
export const maySee = (caller: Caller, { team }: Pick<Ownership, 'team'>): boolean =>
  allows(caller, 'admin') || (caller.kind !== 'anonymous' && caller.team === team);

/**
 * The team whose things a caller asks for: his own, unless he is an administrator and names another.
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

/** Whether a caller may end, delete or move something: its owner, and who administers its team. */
export function mayChange(caller: Caller, row: Ownership): boolean {
  if (!maySee(caller, row)) return false;
  return row.owner === ownerOf(caller) || allows(caller, 'team:admin');
}

/**
 * Lets a caller pass who may change something. What other teams have does not exist for him: his
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

/** How much of something an owner and his team have now. */
export interface Used {
  readonly owner: number;
  readonly team: number;
}

/** What is freed by waiting is 429 and says when to ask again; what somebody has to delete is 403. */
const FREED_BY_WAITING_S: Partial<Record<QuotaName, number>> = {
  mqtt_sessions: 60,
  sockets: 10,
  jobs: 60,
  brokers: 86_400,
};

export interface Demand {
  readonly quota: QuotaName;
  readonly used: Used;
  /** How much is to be added; one where it is left out. */
  readonly adding?: number;
  /** The setting `QUOTAS` of the deployment. */
  readonly settings: unknown;
}

/**
 * Lets a caller add something that there is a quota for; whoever holds `admin` always may.
 *
 * @throws Problem quota_exceeded or rate_limited, each with `quota`, `scope`, `limit`, `used` and
 * `reset_s`, which is null where only a deletion helps
 */
export function requireQuota(caller: Caller, demand: Demand): void {
  if (allows(caller, 'admin')) return;
  const refusal = quotaRefusal(teamOf(caller), demand);
  if (refusal) throw refusal;
}

/** Why something is too much for an owner or his team; undefined where it is not. */
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

/** How much of something a caller and his team may have; without end for administrators. */
export function limitsOf(caller: Caller, quota: QuotaName, settings: unknown): Used {
  if (allows(caller, 'admin')) return { owner: Infinity, team: Infinity };
  return limitsIn(settings, quota);
}

function limitsIn(settings: unknown, quota: QuotaName): Used {
  const { owner, team } = quotasIn(settings)[quota] ?? {};
  return { owner: owner ?? QUOTAS[quota].owner, team: team ?? QUOTAS[quota].team };
}

/** Whether something more would be too much; for objects that count and add in one step. */
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

  /** What an owner has; all that is counted is of his team. */
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
