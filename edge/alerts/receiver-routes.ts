import { audit } from '../access/audit.ts';
import type { alertEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { ulid } from '../http/ulid.ts';
import { full, invalid } from './rule-request.ts';
import { alertsOf } from './stubs.ts';
import { ALERT_LIMITS } from './limits.ts';
import { refusalOf } from './notifying.ts';

type Endpoints = typeof alertEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

export async function listReceivers({ env }: Handled<'listReceivers'>): Reply<'listReceivers'> {
  const receivers = await alertsOf(env).receivers();
  return { status: 200, body: { receivers, total: receivers.length } };
}

export async function createReceiver(call: Handled<'createReceiver'>): Reply<'createReceiver'> {
  const { secret = newSecret(), id = `rcv_${ulid()}`, ...asked } = call.body;
  const refusal = refusalOf(asked.url, call.env.TARGET_ALLOWLIST);
  if (refusal !== undefined) throw invalid('/url', refusal);
  const receiver = { ...asked, id, created_at: new Date().toISOString() };
  const result = await alertsOf(call.env).addReceiver(receiver, secret);
  if (result.kind !== 'done') {
    throw result.kind === 'full'
      ? full('receivers', ALERT_LIMITS.receivers)
      : new Problem('already_exists', `There is a receiver ${id} already.`);
  }
  const detail = { name: asked.name, host: new URL(asked.url).host };
  await audit(call, { action: 'receiver.create', target: id, detail });
  return { status: 201, body: { ...result.added, secret } };
}

export async function deleteReceiver(call: Handled<'deleteReceiver'>): Reply<'deleteReceiver'> {
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

export async function testReceiver(call: Handled<'testReceiver'>): Reply<'testReceiver'> {
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
