import * as z from 'zod/mini';

/** Permission of a credential. `admin` includes every scope but `test:run`. */
export const Scope = z.enum([
  'infer',
  'train',
  'registry:read',
  'registry:write',
  'metrics:read',
  'metrics:write',
  'geo:read',
  'geo:admin',
  'discovery:read',
  'logs:read',
  'logs:write',
  'memory:read',
  'memory:write',
  'geo:node',
  'team:admin',
  'service:connect',
  'admin',
  'test:run',
]);
export type Scope = z.infer<typeof Scope>;

/** Scopes of a trainer's key: to lease jobs, to read base models, to store results. */
export const TRAINER_SCOPES = [
  'train',
  'registry:read',
  'registry:write',
] as const satisfies readonly Scope[];

/** Access to an endpoint: public, any credentials, or this scope. */
export type Access = 'public' | 'authenticated' | Scope;
