import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createApiKey,
  formatApiKey,
  hashSecret,
  parseApiKey,
} from '../../edge/access/contract/api-key.ts';
import { OperatorError } from '../process/operator-error.ts';

/** Where the first key of a Worker lies: with what else git ignores. */
export const firstKeyPath = (root: string, worker: string): string =>
  join(root, '.spikegrid/deploy', `${worker}.key`);

/**
 * The BOOTSTRAP_KEY secret of the Worker: the id and a hash. The key itself is made here, goes into a
 * file that only its owner can read, and nowhere else. One that is there already is used: putting it
 * had failed.
 *
 * @throws OperatorError where the file holds something else
 */
export async function firstKeySetting(path: string): Promise<string> {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${formatApiKey(createApiKey())}\n`, { mode: 0o600, flag: 'wx' });
  }
  const key = parseApiKey(readFileSync(path, 'utf8').trim());
  if (!key) throw new OperatorError(`${path} holds no API key; delete it, and a new one is made`);
  return `${key.id}:${await hashSecret(key.secret)}`;
}
