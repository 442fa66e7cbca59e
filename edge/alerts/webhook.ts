import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DeliveryKind } from './contract/alert-receiver.ts';

export interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** A notification that is sent, and sent again, under one id. */
export interface Notification {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly body: string;
}

const TIMEOUT_MS = 5000;

const bytes = (text: string) => new TextEncoder().encode(text);

/**
 * What `X-Spikegrid-Signature` holds: when it was signed, in seconds, and the HMAC-SHA256 of
 * `<seconds>.<body>` under the receiver's secret. A receiver refuses old times against replays.
 */
export function signatureOf(secret: string, body: string, seconds: number): string {
  const mac = hmac(sha256, bytes(secret), bytes(`${seconds}.${body}`));
  return `t=${seconds},v1=${bytesToHex(mac)}`;
}

interface Delivery {
  readonly now: number;
  /** What sends to the receiver. */
  readonly send: typeof fetch;
}

/**
 * Sends a notification once; answers with the receiver's status. Redirects are not followed: they
 * could lead past the target check. @throws what fetch throws where nothing answers in time
 */
export async function sendWebhook(
  { url, secret }: Webhook,
  { id, kind, body }: Notification,
  { now, send }: Delivery,
): Promise<number> {
  const answer = await send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'spikegrid-alerts',
      'x-spikegrid-event': kind === 'events' ? kind : `alert.${kind}`,
      'x-spikegrid-delivery': id,
      'x-spikegrid-signature': signatureOf(secret, body, Math.floor(now / 1000)),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.body?.cancel();
  return answer.status;
}
