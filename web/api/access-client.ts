import { infiniteQueryOptions } from '@tanstack/react-query';
import { accessEndpoints } from '../../edge/access/endpoints.ts';
import type { AuditAction } from '../../edge/access/contract/audit.ts';
import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import type { CreatedKey, KeyRecord, KeyStatus, NewKey } from '../../edge/access/contract/keys.ts';
import { serviceHttp } from './service-http.ts';

const gateway = serviceHttp('');

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
    queryFn: async ({ signal, pageParam: cursor }) => {
      const asked = { query: { status, limit: 50, cursor }, signal };
      return (await callEndpoint(gateway, accessEndpoints.listKeys, asked)).body;
    },
    refetchInterval: KEYS_EVERY_MS,
  });

/** The answer is the only one that ever holds the key. */
export async function createKey(body: NewKey): Promise<CreatedKey> {
  return (await callEndpoint(gateway, accessEndpoints.createKey, { body })).body;
}

/** @throws ProblemError key_not_found */
export async function revokeKey(id: string): Promise<KeyRecord> {
  return (await callEndpoint(gateway, accessEndpoints.revokeKey, { params: { id } })).body;
}

/** What entries of the audit log are found by. */
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
    queryFn: async ({ signal, pageParam: cursor }) => {
      const asked = { query: { ...search, limit: 50, cursor }, signal };
      return (await callEndpoint(gateway, accessEndpoints.listAudit, asked)).body;
    },
  });
