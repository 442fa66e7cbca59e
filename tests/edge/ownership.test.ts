import { describe, expect, it } from 'vitest';
import { QUOTAS } from '../../edge/contract/team.ts';
import type { Scope } from '../../edge/contract/scope.ts';
import type { Caller } from '../../edge/http/caller.ts';
import {
  maySee,
  mayChange,
  ownerOf,
  ownershipOf,
  quotasIn,
  requireQuota,
  teamSeen,
} from '../../edge/http/ownership.ts';
import { Problem } from '../../edge/http/problem.ts';

const ANNA = 'annaannaanna';
const BEN = 'benbenbenben';
const by = (id: string, team: string, ...scopes: Scope[]): Caller => ({
  kind: 'key',
  ...{ id, team, scopes, until: null },
});

describe('an owner', () => {
  it('is a key with all of its sessions, and no subject of a token that reads like one', () => {
    const key = by(ANNA, 'vision');
    const session: Caller = { ...key, kind: 'session', sessionId: 's', id: ANNA } as Caller;
    const token = (id: string): Caller => ({ ...by(id, 'vision'), kind: 'token' }) as Caller;

    expect(ownerOf(session)).toBe(ownerOf(key));
    for (const id of [ANNA, 'local', 'system', 'anonymous', `token:${ANNA}`]) {
      expect(ownerOf(token(id))).toBe(`token:${id}`);
    }
    expect(ownerOf(token('someone@example.com'))).toBe('someone@example.com');
  });

  it('changes what it owns; others of the team need team:admin, other teams admin', () => {
    const annas = ownershipOf(by(ANNA, 'vision'));
    const may = (caller: Caller) => [maySee(caller, annas), mayChange(caller, annas)];

    expect(may(by(ANNA, 'vision', 'train'))).toEqual([true, true]);
    expect(may(by(BEN, 'vision', 'train'))).toEqual([true, false]);
    expect(may(by(BEN, 'vision', 'team:admin'))).toEqual([true, true]);
    expect(may(by(BEN, 'audio', 'train', 'team:admin'))).toEqual([false, false]);
    // A key that moved on to another team, were there such a thing, left what it made behind.
    expect(may(by(ANNA, 'audio', 'train'))).toEqual([false, false]);
    expect(may(by(BEN, 'audio', 'admin'))).toEqual([true, true]);
    expect(may({ kind: 'anonymous' })).toEqual([false, false]);
  });

  it('has lists of its team alone, where it is no administrator', () => {
    expect(teamSeen(by(ANNA, 'vision', 'train', 'team:admin'))).toBe('vision');
    expect(teamSeen(by(ANNA, 'vision', 'admin'))).toBeUndefined();
  });
});

describe('a quota', () => {
  const refusal = (act: () => void): Problem | undefined => {
    try {
      act();
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
    return undefined;
  };
  const anna = by(ANNA, 'vision', 'train');
  const settings = { jobs: { owner: 2, team: 3 }, dataset_bytes: { owner: 100 } };

  it('says its limit, what is used, and when to come back or that something has to go', () => {
    const jobs = refusal(() =>
      requireQuota(anna, { quota: 'jobs', used: { owner: 2, team: 2 }, settings }),
    );
    const team = refusal(() =>
      requireQuota(anna, { quota: 'jobs', used: { owner: 0, team: 3 }, settings }),
    );
    const demand = { quota: 'dataset_bytes', used: { owner: 60, team: 60 }, settings } as const;
    const bytes = refusal(() => requireQuota(anna, { ...demand, adding: 41 }));

    expect(jobs).toMatchObject({
      code: 'rate_limited',
      extras: { headers: { 'retry-after': '60' } },
    });
    expect(jobs?.extras.members).toMatchObject({
      quota: 'jobs',
      scope: 'owner',
      limit: 2,
      used: 2,
    });
    expect(team?.extras.members).toMatchObject({ scope: 'team', limit: 3, used: 3, reset_s: 60 });
    expect(bytes).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('60 of 100'),
    });
    expect(bytes?.extras.members).toMatchObject({ reset_s: null });
    expect(refusal(() => requireQuota(anna, { ...demand, adding: 40 }))).toBeUndefined();
  });

  it('does not bind administrators, and is not the settings alone', () => {
    const used = { owner: 1e12, team: 1e12 };
    const admin = by(ANNA, 'vision', 'admin');
    const limit = QUOTAS.models.owner;

    expect(refusal(() => requireQuota(admin, { quota: 'jobs', used, settings }))).toBeUndefined();
    const models = { quota: 'models', used: { owner: limit, team: limit }, settings } as const;
    expect(refusal(() => requireQuota(anna, models))?.extras.members).toMatchObject({ limit });
  });

  it('is set by the deployment, and nothing else is taken for one', () => {
    expect(quotasIn('{"jobs": {"owner": 1}}')).toEqual({ jobs: { owner: 1 } });
    expect(quotasIn('')).toEqual({});
    for (const wrong of ['{"job": {"owner": 1}}', '{"jobs": {"owner": -1}}', '{"jobs": 4}', '{']) {
      expect(() => quotasIn(wrong), wrong).toThrow(/QUOTAS|JSON/);
    }
  });
});
