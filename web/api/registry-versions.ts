import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { AliasRecord } from '../../edge/registry/contract/alias.ts';
import type { Compatibility } from '../../edge/registry/contract/compatibility.ts';
import { clientOf } from '../../edge/contract/client.ts';
import type {
  DeletionAnswer,
  VersionPatch,
  VersionRecord,
} from '../../edge/registry/contract/model.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { registryEndpoints } from '../../edge/registry/endpoints.ts';
import { serviceHttp } from './service-http.ts';

const registryApi = clientOf(registryEndpoints, serviceHttp('/registry'));

/** Address of one version. */
export interface VersionAddress {
  readonly id: string;
  readonly version: string;
}

export const versionQuery = ({ id, version }: VersionAddress) =>
  queryOptions({
    queryKey: ['models', 'version', id, version],
    queryFn: ({ signal }) => registryApi.getVersion({ params: { id, version }, signal }),
  });

/** Where an alias points now, or null where there is none of that name. */
export const aliasQuery = (id: string, alias: string) =>
  queryOptions({
    queryKey: ['models', 'alias', id, alias],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<AliasRecord | null> => {
      try {
        return await registryApi.getAlias({ params: { id, alias }, signal });
      } catch (error) {
        if (error instanceof ProblemError && error.code === 'alias_not_found') return null;
        throw error;
      }
    },
  });

export const lineageQuery = ({ id, version }: VersionAddress, depth: number) =>
  queryOptions({
    queryKey: ['models', 'lineage', id, version, depth],
    queryFn: ({ signal }) =>
      registryApi.getLineage({ params: { id }, query: { version, depth }, signal }),
  });

/** Compatibility of `other` as a continuation of `base`. */
export const compatibilityQuery = (base: VersionRecord, other: VersionRecord) =>
  queryOptions({
    queryKey: ['models', 'compatibility', base.model_id, base.etag, other.etag],
    queryFn: ({ signal }) => checkCompatibility(base, other, signal),
  });

async function checkCompatibility(
  base: VersionRecord,
  other: VersionRecord,
  signal: AbortSignal,
): Promise<Compatibility> {
  const weights = other.files.find(({ filename }) => filename === other.model_spec?.checkpoint_uri);
  return registryApi.checkCompatibility({
    params: { id: base.model_id },
    query: { version: base.version },
    body: {
      ...(other.model_spec && { model_spec: other.model_spec }),
      ...(other.tokenizer_digest && { tokenizer_digest: other.tokenizer_digest }),
      ...(weights && { artifact_digest: weights.digest }),
    },
    signal,
  });
}

/** @throws ProblemError precondition_failed where somebody changed the version since it was read */
export async function changeVersion(
  { model_id: id, version, etag }: VersionRecord,
  patch: VersionPatch,
): Promise<VersionRecord> {
  const headers = { 'if-match': etag };
  return registryApi.changeVersion({ params: { id, version }, body: patch, headers });
}

/** @param force deletes even the last version, or one that an alias points to */
export async function deleteVersion(
  { id, version }: VersionAddress,
  force: boolean,
): Promise<DeletionAnswer> {
  return registryApi.deleteVersion({ params: { id, version }, query: { force: String(force) } });
}

/** @param force deletes the model even where it has aliases */
export const deleteModel = (id: string, force: boolean): Promise<DeletionAnswer> =>
  registryApi.deleteModel({ params: { id }, query: { force: String(force) } });

/** Points an alias to a version, from where it was seen to point and from nowhere else. */
export async function setAlias(
  alias: { readonly id: string; readonly name: string; readonly seen: AliasRecord | null },
  version: string,
): Promise<AliasRecord> {
  const headers: Record<string, string> = alias.seen
    ? { 'if-match': alias.seen.etag }
    : { 'if-none-match': '*' };
  const params = { id: alias.id, alias: alias.name };
  return registryApi.setAlias({ params, body: { version }, headers });
}

export async function deleteAlias({ model_id: id, alias, etag }: AliasRecord): Promise<void> {
  const headers = { 'if-match': etag };
  await registryApi.deleteAlias({ params: { id, alias }, headers });
}

/**
 * Invalidates every list of models after a change, but not what the change deleted: the
 * screen may still show it for a moment, and the registry would answer that it is gone.
 */
export function refreshModels(queries: QueryClient, gone?: VersionAddress): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [area, kind, id, version] }) => {
      if (area !== 'models' || kind === 'alias') return false;
      return !(gone && id === gone.id && (gone.version === '' || version === gone.version));
    },
  });
}
