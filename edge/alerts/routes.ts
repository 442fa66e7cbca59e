import { audit } from '../access/audit.ts';
import { alertEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { previewOf, previewRange } from './preview.ts';
import { rulesYaml } from './rules-yaml.ts';
import {
  definitionOf,
  etagOf,
  full,
  invalid,
  revisionsOf,
  ruleNotFound,
  ruleRefused,
  staleRule,
} from './rule-request.ts';
import { alertsOf } from './stubs.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { ALERT_LIMITS } from './rule.ts';
import { createSilence, expireSilence, listSilences } from './silence-routes.ts';
import { Problem } from '../http/problem.ts';
import { ulid } from '../http/ulid.ts';
import { refusalOf } from './notifier.ts';

type Endpoints = typeof alertEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /alerts: what is wrong, by which rules, and who is notified. */
export const alertRoutes = routesOf<Env, Endpoints>(alertEndpoints, {
  listAlerts,
  exportRules,
  listRules,
  createRule,
  getRule,
  replaceRule,
  deleteRule,
  previewRule,
  listTransitions,
  listSilences,
  createSilence,
  expireSilence,
  listReceivers,
  createReceiver,
  deleteReceiver,
  testReceiver,
});

async function listAlerts({ env, query }: Handled<'listAlerts'>): Reply<'listAlerts'> {
  const alerts = await alertsOf(env).alerts(query);
  return { status: 200, body: { alerts, total: alerts.length } };
}

async function exportRules({ env }: Handled<'exportRules'>): Promise<Response> {
  return new Response(rulesYaml(await alertsOf(env).rules()), {
    headers: {
      'content-type': 'application/yaml',
      'content-disposition': 'attachment; filename="spikegrid-rules.yaml"',
    },
  });
}

async function listRules({ env }: Handled<'listRules'>): Reply<'listRules'> {
  const rules = await alertsOf(env).rules();
  return { status: 200, body: { rules, total: rules.length } };
}

async function createRule(call: Handled<'createRule'>): Reply<'createRule'> {
  const { env, body, prefix } = call;
  const result = await alertsOf(env).addRule(definitionOf(body));
  if (result.kind !== 'done') throw ruleRefused(result, body.id ?? '', ALERT_LIMITS.rules);
  const { rule } = result;
  await audit(call, { action: 'rule.create', target: rule.id, detail: { name: rule.name } });
  const headers = { location: `${prefix}/alerts/rules/${rule.id}`, etag: etagOf(rule) };
  return { status: 201, body: rule, headers };
}

async function getRule({ env, params }: Handled<'getRule'>): Reply<'getRule'> {
  const rule = await alertsOf(env).rule(params.id);
  if (!rule) throw ruleNotFound(params.id);
  return { status: 200, body: rule, headers: { etag: etagOf(rule) } };
}

async function replaceRule(call: Handled<'replaceRule'>): Reply<'replaceRule'> {
  const { env, params, body, request } = call;
  const revisions = revisionsOf(request.headers);
  const result = await alertsOf(env).replaceRule(params.id, definitionOf(body), revisions);
  if (result.kind !== 'done') throw ruleRefused(result, params.id, ALERT_LIMITS.rules);
  const { rule } = result;
  const detail = { name: rule.name, revision: rule.revision };
  await audit(call, { action: 'rule.update', target: rule.id, detail });
  return { status: 200, body: rule, headers: { etag: etagOf(rule) } };
}

async function deleteRule(call: Handled<'deleteRule'>): Reply<'deleteRule'> {
  const { id } = call.params;
  const result = await alertsOf(call.env).removeRule(id, revisionsOf(call.request.headers));
  if (result.kind === 'not-found') throw ruleNotFound(id);
  if (result.kind === 'stale') throw staleRule(id, result.revision);
  await audit(call, { action: 'rule.delete', target: id });
  return { status: 204, body: undefined };
}

async function previewRule({ env, body }: Handled<'previewRule'>): Reply<'previewRule'> {
  const definition = definitionOf(body);
  const { for_s, keep_firing_for_s } = definition;
  const timing = { forMs: for_s * 1000, keepFiringForMs: keep_firing_for_s * 1000 };
  const range = previewRange(body, Date.now());
  const preview = await previewOf(definition, timing, monitoringOf(env), range);
  return { status: 200, body: preview };
}

async function listTransitions(call: Handled<'listTransitions'>): Reply<'listTransitions'> {
  const { cursor, ...query } = call.query;
  const { limit: _, ...filters } = query;
  const before = readCursor(cursor, filters);
  const { items, total, next } = await alertsOf(call.env).transitions(query, before);
  const body = { transitions: [...items], total, ...pageEnd(next, filters) };
  return { status: 200, body };
}

async function listReceivers({ env }: Handled<'listReceivers'>): Reply<'listReceivers'> {
  const receivers = await alertsOf(env).receivers();
  return { status: 200, body: { receivers, total: receivers.length } };
}

async function createReceiver(call: Handled<'createReceiver'>): Reply<'createReceiver'> {
  const { secret = newSecret(), id = `rcv_${ulid()}`, ...definition } = call.body;
  const refusal = refusalOf(definition.url, call.env.TARGET_ALLOWLIST);
  if (refusal !== undefined) throw invalid('/url', refusal);
  const receiver = { ...definition, id, created_at: new Date().toISOString() };
  const result = await alertsOf(call.env).addReceiver(receiver, secret);
  if (result.kind !== 'done') {
    throw result.kind === 'full'
      ? full('receivers', ALERT_LIMITS.receivers)
      : new Problem('already_exists', `There is a receiver ${id} already.`);
  }
  const detail = { name: definition.name, host: new URL(definition.url).host };
  await audit(call, { action: 'receiver.create', target: id, detail });
  return { status: 201, body: { ...result.added, secret } };
}

async function deleteReceiver(call: Handled<'deleteReceiver'>): Reply<'deleteReceiver'> {
  const { id } = call.params;
  const result = await alertsOf(call.env).removeReceiver(id);
  if (result.kind === 'not-found') throw receiverNotFound(id);
  if (result.kind === 'in-use') {
    const { rules } = result;
    throw new Problem('receiver_in_use', `These rules name the receiver ${id}: ${rules.join()}.`, {
      members: { rules },
    });
  }
  await audit(call, { action: 'receiver.delete', target: id });
  return { status: 204, body: undefined };
}

async function testReceiver(call: Handled<'testReceiver'>): Reply<'testReceiver'> {
  const receiver = await alertsOf(call.env).testReceiver(call.params.id);
  if (!receiver) throw receiverNotFound(call.params.id);
  return { status: 202, body: receiver };
}

const receiverNotFound = (id: string) =>
  new Problem('receiver_not_found', `There is no receiver ${JSON.stringify(id)}.`);

/** 32 random bytes in letters. */
function newSecret(): string {
  const random = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
