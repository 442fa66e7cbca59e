import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createApiKey,
  formatApiKey,
  hashSecret,
  parseApiKey,
} from '../../edge/access/contract/api-key.ts';
import { OperatorError } from '../process/operator-error.ts';

/** The first key of a platform that asks for credentials. */
export interface BootstrapKey {
  /** The file that holds it, which only its owner can read. */
  readonly path: string;
  /** The BOOTSTRAP_KEY of the Worker: its id and a hash. */
  readonly setting: string;
}

/**
 * The first key of this state folder, made the first time.
 *
 * @throws OperatorError where the file cannot be read or written, or holds no key
 */
export async function claimBootstrapKey(stateDir: string): Promise<BootstrapKey> {
  const path = join(stateDir, 'bootstrap-key');
  const key = parseApiKey(readOrMake(path).trim());
  if (!key) {
    throw new OperatorError(`${path} holds no API key; delete it, and a new one is made`);
  }
  return { path, setting: `${key.id}:${await hashSecret(key.secret)}` };
}

function readOrMake(path: string): string {
  try {
    const text = `${formatApiKey(createApiKey())}\n`;
    // It fails where the file exists, so no key is ever written over.
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return text;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw unusable(path, error);
    }
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`the key in ${path} cannot be read or written (${reason})`);
}
