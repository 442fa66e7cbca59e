import * as z from 'zod/mini';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { CallerKind } from './session.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';

/** Administrative actions, named by their target and verb. */
export const AuditAction = z.enum([
  'key.create',
  'key.revoke',
  'session.login',
  'session.logout',
  'session.failed',
  'service.register',
  'service.update',
  'service.delete',
  'service.connect',
  'model.delete',
  'version.update',
  'version.delete',
  'alias.set',
  'alias.delete',
  'rule.create',
  'rule.update',
  'rule.delete',
  'silence.create',
  'silence.delete',
  'receiver.create',
  'receiver.delete',
  'region.create',
  'region.delete',
  'region.status',
  'node.create',
  'node.delete',
  'failover.execute',
  'test.run',
  'memory.delete',
  'memory.erase',
  'memory.drop',
  'backup.read',
  'backup.restore',
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** Details of an action, in a few words; never a secret. */
export const AuditDetail = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
);
export type AuditDetail = z.infer<typeof AuditDetail>;

/** An entry of the audit log. */
export const AuditEvent = z.object({
  event_id: z.string(),
  time: Timestamp,
  action: AuditAction,
  /** `system` is the platform itself, such as when it imports the first key. */
  actor: z.object({
    kind: z.union([CallerKind, z.literal('system')]),
    id: z.nullable(z.string()),
  }),
  /** The target: a key's id, a service's name, `model@version`. */
  target: z.string(),
  detail: AuditDetail,
  request_id: z.string(),
  trace_id: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

const Text = z.string().check(z.minLength(1), z.maxLength(256));

/**
 * The query of `GET /api/audit`; `actor` and `target` match exactly, `from` is inclusive and `to`
 * exclusive.
 */
export const AuditQuery = z.strictObject({
  action: z.optional(AuditAction),
  actor: z.optional(Text),
  target: z.optional(Text),
  from: z.optional(TimestampInput),
  to: z.optional(TimestampInput),
  limit: z.prefault(PageSize, '50'),
  cursor: z.optional(Cursor),
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** The response of `GET /api/audit`, the latest event first. */
export const AuditList = z.object({
  events: z.array(AuditEvent),
  ...pageMembers,
});
export type AuditList = z.infer<typeof AuditList>;

const Actor = z.strictObject({ kind: CallerKind, id: z.nullable(Text) });

/**
 * The body of `POST /api/audit`: an action that a service outside of the Worker carried out for a
 * caller.
 */
export const ReportedAct = z.strictObject({
  action: z.literal('test.run'),
  actor: Actor,
  target: Text,
  detail: z.record(Text, z.union([Text, z.number(), z.boolean(), z.null()])).check(
    says(
      { maxProperties: 16 },
      z.refine((detail) => Object.keys(detail).length <= 16, 'expected at most 16 members'),
    ),
  ),
});
export type ReportedAct = z.infer<typeof ReportedAct>;
