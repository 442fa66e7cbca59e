import { readFileSync } from 'node:fs';

/** Variables that hold a secret. What a process's environment holds, others of its user may read. */
export const SECRETS = [
  'BOOTSTRAP_KEY',
  'CLOUDFLARE_API_TOKEN',
  'DISTRIBUTED_WS_REDIS',
  'MQTT_PASSWORD',
  'MQTT_URL',
  'SPIKEGRID_KEY',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** An environment for a process of ours that needs none of them. */
export function withoutSecrets(env: Environment): Environment {
  const names: readonly string[] = SECRETS;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/**
 * A secret of the environment, else what the file holds that `<name>_FILE` names.
 *
 * @throws what `fs` throws for the file
 */
export function secretOf(env: Environment, name: string): string | undefined {
  const value = env[name];
  if (value) return value.trim();
  const path = env[`${name}_FILE`];
  return path ? readFileSync(path, 'utf8').trim() : undefined;
}
