import { audit } from '../access/audit.ts';
import type { alertEndpoints } from './endpoints.ts';
import { formatMatcher } from './contract/alert-matcher.ts';
import type { NewSilence } from './contract/alert-silence.ts';
import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { teamOf } from '../http/ownership.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { ulid } from '../http/ulid.ts';
import { compileMatchers } from './labels.ts';
import { full, invalid } from './rule-request.ts';
import { teamOfOwner } from '../memory/owner.ts';
import { alertsOf } from './stubs.ts';
import { ALERT_LIMITS } from './rule.ts';
import type { StoredSilence } from './state-store.ts';

type Endpoints = typeof alertEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

export async function listSilences(call: Handled<'listSilences'>): Reply<'listSilences'> {
  const { cursor, ...query } = call.query;
  const filters = { state: query.state };
  const before = readCursor(cursor, filters);
  const { items, total, next } = await alertsOf(call.env).silences(query, before);
  const body = { silences: [...items], total, ...pageEnd(next, filters) };
  return { status: 200, body };
}

export async function createSilence(call: Handled<'createSilence'>): Reply<'createSilence'> {
  const silence = silenceOf(call.body, call.caller, Date.now());
  const result = await alertsOf(call.env).addSilence(silence);
  if (result.kind !== 'done') throw full('silences', ALERT_LIMITS.silences);
  const { id, ends_at } = silence;
  const detail = { matchers: silence.matchers.map(formatMatcher), ends_at };
  await audit(call, { action: 'silence.create', target: id, detail });
  return { status: 201, body: result.added };
}

export async function expireSilence(call: Handled<'expireSilence'>): Reply<'expireSilence'> {
  const { id } = call.params;
  await requireSilencer(call, id);
  const silence = await alertsOf(call.env).expireSilence(id);
  if (!silence) {
    throw new Problem('silence_not_found', `There is no silence ${JSON.stringify(id)}.`);
  }
  await audit(call, { action: 'silence.delete', target: id });
  return { status: 200, body: silence };
}

/**
 * Alerts belong to the platform; a silence may be ended by its creator or an administrator of that team.
 */
async function requireSilencer(
  { env, caller }: Handled<'expireSilence'>,
  id: string,
): Promise<void> {
  if (allows(caller, 'admin')) return;
  const owner = await alertsOf(env).silencedBy(id);
  if (owner === undefined || owner === makerOf(caller)) return;
  const isMate = (await teamOfOwner(env, `key:${owner}`)) === teamOf(caller);
  if (isMate && allows(caller, 'team:admin')) return;
  throw new Problem(
    'forbidden',
    `The silence ${id} was made by ${isMate ? owner : 'another team'}: ending it needs the scope ${isMate ? 'team:admin' : 'admin'}.`,
    { members: { missing_scope: isMate ? 'team:admin' : 'admin' } },
  );
}

const makerOf = (caller: Caller): string => ('id' in caller ? caller.id : caller.kind);

/** @throws Problem validation_failed for a time that is over and for matchers of everything */
function silenceOf(input: NewSilence, caller: Caller, now: number): StoredSilence {
  const startsAt = input.starts_at === undefined ? now : Date.parse(input.starts_at);
  const endsAt =
    input.ends_at === undefined
      ? startsAt + (input.duration_s ?? 0) * 1000
      : Date.parse(input.ends_at);
  if (endsAt <= Math.max(startsAt, now)) {
    const what = input.ends_at === undefined ? '/duration_s' : '/ends_at';
    throw invalid(what, 'expected a silence that ends in the future and after its start');
  }
  if (compileMatchers(input.matchers)({})) {
    throw invalid('/matchers', 'expected a matcher that does not hold where the label is missing');
  }
  const time = new Date(now).toISOString();
  return {
    id: `sil_${ulid(now)}`,
    matchers: input.matchers,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: new Date(endsAt).toISOString(),
    created_by: 'id' in caller ? caller.id : (input.created_by ?? caller.kind),
    comment: input.comment,
    created_at: time,
    updated_at: time,
  };
}
