import type { Env } from '../env.ts';
import { parseOrigins } from '../http/cors.ts';

export { checkOrigin, isFromHere, isLoopbackOrigin } from '../http/origin.ts';

let latest: { readonly setting: unknown; readonly origins: ReadonlySet<string> } | undefined;

/** The origins whose pages may call us; the setting is parsed once in an isolate's life. */
export function allowedOrigins({ CORS_ORIGINS }: Pick<Env, 'CORS_ORIGINS'>): ReadonlySet<string> {
  if (latest?.setting !== CORS_ORIGINS || latest === undefined) {
    latest = { setting: CORS_ORIGINS, origins: parseOrigins(CORS_ORIGINS) };
  }
  return latest.origins;
}
