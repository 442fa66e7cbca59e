import { CreatedKey } from '../../edge/access/contract/keys.ts';
import { createApiKey, formatApiKey, hashSecret } from '../../edge/access/contract/api-key.ts';
import type { Scope } from '../../edge/contract/scope.ts';
import { type Edge, type EdgeOptions, startEdge } from './harness.ts';

/** An edge that asks everybody for credentials, and the first key to it. */
export interface GuardedEdge extends Edge {
  readonly admin: string;
  /** A new key with these scopes, of the first key's team where none is named. */
  keyFor(scopes: readonly Scope[], asked?: Asked): Promise<CreatedKey>;
}

interface Asked {
  readonly team?: string;
  readonly expiresInS?: number;
}

export async function startGuardedEdge(options: EdgeOptions = {}): Promise<GuardedEdge> {
  const first = createApiKey();
  const setting = `${first.id}:${await hashSecret(first.secret)}`;
  const vars = { AUTH_MODE: 'required', BOOTSTRAP_KEY: setting, ...options.vars };
  const edge = await startEdge({ ...options, vars });
  const admin = formatApiKey(first);
  return {
    ...edge,
    admin,
    async keyFor(scopes, { team, expiresInS } = {}) {
      const answer = await send(new URL('/api/keys', edge.gateway), {
        key: admin,
        method: 'POST',
        json: { name: 'test', scopes, team, expires_in_s: expiresInS },
      });
      return CreatedKey.parse(await answer.json());
    },
  };
}

export interface Sending {
  readonly key?: string | undefined;
  readonly method?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request with a key and a JSON body, where they are given. */
export function send(
  url: URL | string,
  { key, method = 'GET', json, headers }: Sending = {},
): Promise<Response> {
  const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  return fetch(url, {
    method,
    headers: { ...bearer, ...type, ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    redirect: 'manual',
  });
}
