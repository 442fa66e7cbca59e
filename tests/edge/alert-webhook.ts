import { createHmac, timingSafeEqual } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { startUpstream, type Upstream } from './upstream.ts';

/** A notification as it came over the wire. */
export interface Received {
  readonly id: string;
  readonly event: string;
  readonly signature: string;
  readonly body: string;
}

export interface WebhookServer extends Upstream {
  readonly received: readonly Received[];
  /** Answers the next requests with these statuses, then with 204. */
  answerWith(...statuses: readonly number[]): void;
}

/** A receiver of webhooks: a plain server of Node on a real socket. */
export async function startWebhook(): Promise<WebhookServer> {
  const received: Received[] = [];
  const statuses: number[] = [];
  const upstream = await startUpstream((request, response) => {
    void text(request).then((body) => {
      const header = (name: string) => String(request.headers[name]);
      received.push({
        id: header('x-spikegrid-delivery'),
        event: header('x-spikegrid-event'),
        signature: header('x-spikegrid-signature'),
        body,
      });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  return { ...upstream, received, answerWith: (...next) => void statuses.push(...next) };
}

/** Checks a signature as a receiver does: the time is recent, and the code is of time and body. */
export function isSigned({ signature, body }: Received, secret: string): boolean {
  const [, seconds = '', mac = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const isRecent = Math.abs(Date.now() / 1000 - Number(seconds)) < 60;
  const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
  const claimed = Buffer.from(mac, 'hex');
  return isRecent && claimed.length === expected.length && timingSafeEqual(claimed, expected);
}
