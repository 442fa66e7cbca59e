import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as z from 'zod/mini';
import { OperatorError } from '../process/operator-error.ts';
import type { Names } from './wrangler-calls.ts';

const Vars = z.record(z.string(), z.unknown());
type Vars = Readonly<z.infer<typeof Vars>>;
const Bucket = z.looseObject({ binding: z.string(), bucket_name: z.string() });
const Own = z.looseObject({ name: z.optional(z.string()), vars: z.prefault(Vars, {}) });

/** The parts of wrangler.toml that an environment has of its own; all else is as it stands there. */
const Config = z.looseObject({
  name: z.string(),
  main: z.string(),
  assets: z.looseObject({ directory: z.string() }),
  vars: Vars,
  r2_buckets: z.array(Bucket),
  env: z.optional(z.record(z.string(), Own)),
});
type Config = z.infer<typeof Config>;

/** Settings that lead to somebody outside: where they lead is said by each environment. */
const POINTS_OUTSIDE = [
  'UPSTREAMS',
  'TARGET_ALLOWLIST',
  'JWT_ISSUER',
  'JWT_AUDIENCE',
  'JWT_JWKS',
  'CF_ACCESS_TEAM',
  'CF_ACCESS_AUDIENCE',
  'CORS_ORIGINS',
] as const;
/** Names of bindings that lead nowhere in a rehearsal. */
const NOWHERE = new Set(['""', '{}', '[]', '["*"]', 'undefined']);

/** Settings that are put as secrets: a setting of the same name would stand in their way. */
export const SECRETS = ['BOOTSTRAP_KEY', 'DISTRIBUTED_WS_REDIS'] as const;

export interface Environment {
  readonly names: Names;
  readonly config: object;
  /** Settings under [vars] that hold here, too, as this environment says nothing else. */
  readonly shared: readonly string[];
}

/**
 * wrangler.toml for an environment: a Worker and buckets with names of their own, and so
 * objects of their own.
 *
 * @throws OperatorError where a setting would lead where production leads without being said
 */
export function environmentOf(root: string, read: unknown, name: string | undefined): Environment {
  const { env = {}, build: _, ...config } = Config.parse(read);
  const own = name === undefined ? undefined : Own.parse(env[name] ?? {});
  const environment = environmentName(name);
  const suffix = own ? `-${environment}` : '';
  const folder = join(root, 'dist/deploy');
  const from = (path: string) => relative(folder, resolve(root, path));
  const vars = varsOf(config.vars, own?.vars ?? config.vars, environment);
  const made = {
    ...config,
    ...own,
    name: own?.name ?? `${config.name}${suffix}`,
    main: from(config.main),
    assets: { ...config.assets, directory: from(config.assets.directory) },
    r2_buckets: config.r2_buckets.map((one) => ({ ...one, bucket_name: one.bucket_name + suffix })),
    vars,
  };
  const names: Names = {
    environment,
    worker: made.name,
    buckets: made.r2_buckets.map((one) => one.bucket_name),
    config: join(folder, `${environment}.json`),
  };
  const shared = Object.keys(vars).filter((key) => own && !Object.hasOwn(own.vars, key));
  return { names, config: made, shared };
}

function environmentName(name = 'production'): string {
  if (/^[a-z0-9][a-z0-9-]{0,30}$/.test(name)) return name;
  throw new OperatorError(`--env: got "${name}", expected lower-case letters, digits and -`);
}

/** The settings of an environment: its own, and those of [vars] that may hold everywhere. */
function varsOf(base: Vars, own: Vars, environment: string): Vars {
  refuseInherited(base, own, environment);
  const vars: Record<string, unknown> = { ...base, ...own };
  for (const secret of SECRETS) {
    if (vars[secret]) throw new OperatorError(`${secret} under [vars] is a secret: take it out`);
    delete vars[secret];
  }
  return vars;
}

function refuseInherited(base: Vars, own: Vars, environment: string): void {
  for (const key of POINTS_OUTSIDE) {
    if (Object.hasOwn(own, key) || NOWHERE.has(String(JSON.stringify(base[key])))) continue;
    throw new OperatorError(
      `${key} under [vars] is production's: say under [env.${environment}.vars] what it is for ${environment}`,
    );
  }
}

export function writeConfig({ names, config }: Environment): void {
  mkdirSync(join(names.config, '..'), { recursive: true });
  writeFileSync(names.config, `${JSON.stringify(config, null, 2)}\n`);
}
