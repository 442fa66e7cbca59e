import type { AuditAction, AuditDetail } from './contract/audit.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { accessOf } from './access-stub.ts';

/** An administrative action to record. */
interface Act {
  readonly action: AuditAction;
  /** The target: a key's id, a service's name, `model@version`. */
  readonly target: string;
  /** Further details; never a secret. */
  readonly detail?: AuditDetail;
}

/**
 * Writes an action to the audit log. It is awaited: an action that cannot be recorded is not
 * reported as done.
 */
export async function audit(
  { env, caller, trace }: Pick<Call<Env>, 'env' | 'caller' | 'trace'>,
  { action, target, detail = {} }: Act,
): Promise<void> {
  await accessOf(env).record({
    action,
    actor: { kind: caller.kind, id: 'id' in caller ? caller.id : null },
    target,
    detail,
    request_id: trace.requestId,
    trace_id: trace.traceId,
  });
}
