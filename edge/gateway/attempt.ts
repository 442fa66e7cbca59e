import { Problem } from '../http/problem.ts';
import { isConnected } from '../outward/contract/connection.ts';
import { countUpstream } from '../http/telemetry.ts';
import { IDENTITY_HEADER, type IdentityClaims } from '../contract/identity.ts';
import type { SignIdentity } from './identity-signer.ts';
import { type InstanceStats, statsOf } from './instance-stats.ts';
import type { Onward } from './onward.ts';
import { type Sending, sendOut } from './send.ts';
import type { InstanceState } from './service-state.ts';

/** What came of sending a request to one instance. */
export type Attempt =
  | { readonly kind: 'answered'; readonly instance: InstanceState; readonly answer: Response }
  | {
      readonly kind: 'failed';
      readonly instance: InstanceState;
      readonly problem: Problem;
      /** Nothing answered at all, so another instance may be asked. */
      readonly isUnreached: boolean;
    };

/** A request that is ready to be sent, to one instance or another. */
export interface Sender {
  readonly service: string;
  readonly onward: Onward;
  /** Who calls, to be signed for each attempt: a nonce is taken once. */
  readonly identity: Pick<IdentityClaims, 'caller' | 'here'>;
  readonly sign: SignIdentity;
  readonly sending: Omit<Sending, 'onHangUp'>;
}

/**
 * Sends a request to one instance, and keeps account of how that goes. It counts as under way until
 * its answer begins: the runtime does not tell when a caller leaves a stream.
 */
export async function attempt(sender: Sender, instance: InstanceState): Promise<Attempt> {
  const service = statsOf(sender.service);
  const stats = service.of(instance.url);
  const started = Date.now();
  const { hungUp } = sender.sending;
  const leave = entered(stats);
  try {
    const answer = await sendOut(instance.url, await signed(sender, instance), {
      ...sender.sending,
      onHangUp: leave,
    });
    const now = Date.now();
    countUpstream(sender.service, answer.status, (now - started) / 1000);
    if (answer.status >= 500) service.failed(instance.url, `it answered ${answer.status}`, now);
    else stats.succeeded(now - started, now);
    return { kind: 'answered', instance, answer };
  } catch (error) {
    const problem = error instanceof Problem ? error : unreachable(sender.service, error);
    // That the caller hangs up, is slow, or asks for too much says nothing about the instance.
    if (!hungUp.aborted && BLAMED.includes(problem.code)) {
      const now = Date.now();
      service.failed(instance.url, problem.message, now);
      countUpstream(sender.service, 'error', (now - started) / 1000);
    }
    return { kind: 'failed', instance, problem, isUnreached: !(error instanceof Problem) };
  } finally {
    leave();
  }
}

/** What is signed is the path that the instance receives, behind that of its own address. */
async function signed(
  { service, onward, identity, sign }: Sender,
  { url }: InstanceState,
): Promise<Onward> {
  const below = isConnected(url) ? '' : new URL(url).pathname.replace(/\/$/, '');
  const htu = below + onward.path;
  const token = await sign(service, { htm: onward.method, htu, ...identity });
  return { ...onward, headers: new Map([...onward.headers, [IDENTITY_HEADER, token]]) };
}

const BLAMED: readonly string[] = ['upstream_error', 'upstream_timeout'];

/** Counts a request as under way until the result is called. */
function entered(stats: InstanceStats): () => void {
  let isIn = true;
  stats.inFlight += 1;
  return () => {
    if (isIn) stats.inFlight -= 1;
    isIn = false;
  };
}

function unreachable(service: string, error: unknown): Problem {
  const text = String(error);
  console.warn(JSON.stringify({ level: 'warn', event: 'upstream_error', service, text }));
  return new Problem('upstream_error', `${service} cannot be reached or broke off.`, {
    headers: { 'retry-after': '1' },
  });
}
