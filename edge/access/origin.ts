import type { Env } from '../env.ts';
import { parsedOnce } from '../gateway/parsed-setting.ts';
import { parseOrigins } from '../http/cors.ts';

const parsed = parsedOnce(parseOrigins);

/** The origins whose pages may call this platform from a browser. */
export const allowedOrigins = ({ CORS_ORIGINS }: Pick<Env, 'CORS_ORIGINS'>): ReadonlySet<string> =>
  parsed(CORS_ORIGINS);
