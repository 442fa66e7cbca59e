import { AuditAction } from '../../../../edge/access/contract/audit.ts';
import type { AuditSearch } from '../../../api/access-client.ts';
import { oneOf, text, type Values } from '../../../url-state/fields.ts';

const LONGEST = 256;

export const ACTIONS = ['', ...AuditAction.options] as const;

/** The filters as they stand in the address: times in UTC, so that a shared link means the same. */
export const FILTERS = {
  action: oneOf('', ACTIONS),
  actor: text('', LONGEST),
  target: text('', LONGEST),
  from: text('', 32),
  to: text('', 32),
};
export type Filters = Values<typeof FILTERS>;

export const NO_FILTERS: Filters = { action: '', actor: '', target: '', from: '', to: '' };

/** The search parameters: only filters that are set. */
export function searchOf({ action, actor, target, from, to }: Filters): AuditSearch {
  return {
    ...(action !== '' && { action }),
    ...(actor.trim() !== '' && { actor: actor.trim() }),
    ...(target.trim() !== '' && { target: target.trim() }),
    ...(isTime(from) && { from }),
    ...(isTime(to) && { to }),
  };
}

const isTime = (written: string) => !Number.isNaN(Date.parse(written));

/** A moment as `<input type="datetime-local">` holds it: in the zone of the browser. */
export function localOf(utc: string): string {
  if (!isTime(utc)) return '';
  const date = new Date(utc);
  const shifted = date.getTime() - date.getTimezoneOffset() * 60_000;
  return new Date(shifted).toISOString().slice(0, 16);
}

/** The inverse of `localOf`; empty where no moment was entered. */
export const utcOf = (local: string): string =>
  isTime(local) ? new Date(local).toISOString() : '';
