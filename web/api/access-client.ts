import { infiniteQueryOptions } from '@tanstack/react-query';
import { accessEndpoints } from '../../edge/access/endpoints.ts';
import type { AuditAction } from '../../edge/access/contract/audit.ts';
import { clientOf } from '../../edge/contract/client.ts';
import type { CreatedKey, KeyRecord, KeyStatus, NewKey } from '../../edge/access/contract/keys.ts';
import { serviceHttp } from './service-http.ts';

const accessApi = clientOf(accessEndpoints, serviceHttp(''));

const KEYS_EVERY_MS = 30_000;

/** Further pages follow by cursor. */
const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor: cursor }: { readonly next_cursor: string | null }) =>
    cursor ?? undefined,
};

/** API keys, the latest first. @param status every one where it is undefined */
export const keysQuery = (status: KeyStatus | undefined) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: ['keys', status ?? ''],
    queryFn: ({ signal, pageParam: cursor }) =>
      accessApi.listKeys({ query: { status, limit: 50, cursor }, signal }),
    refetchInterval: KEYS_EVERY_MS,
  });

/** The answer is the only one that ever holds the key. */
export const createKey = (body: NewKey): Promise<CreatedKey> => accessApi.createKey({ body });

/** @throws ProblemError key_not_found */
export const revokeKey = (id: string): Promise<KeyRecord> =>
  accessApi.revokeKey({ params: { id } });

/** Filters of the audit log. */
export interface AuditSearch {
  readonly action?: AuditAction;
  readonly actor?: string;
  readonly target?: string;
  /** ISO 8601; `from` is in and `to` is not. */
  readonly from?: string;
  readonly to?: string;
}

/** The audit log, the latest first. */
export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: ['audit', search],
    queryFn: ({ signal, pageParam: cursor }) =>
      accessApi.listAudit({ query: { ...search, limit: 50, cursor }, signal }),
  });
