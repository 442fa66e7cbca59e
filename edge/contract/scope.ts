import * as z from 'zod/mini';

/** What a credential may do. `admin` includes every scope but `test:run`. */
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

/** What a trainer's key has to allow: to take jobs, to read their base models, to store their results. */
export const TRAINER_SCOPES = [
  'train',
  'registry:read',
  'registry:write',
] as const satisfies readonly Scope[];

/** Who may call an endpoint: everybody, whoever has credentials, or who has this scope. */
export type Access = 'public' | 'authenticated' | Scope;
