import { Scope } from '../contract/scope.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import { KEY_ID } from './contract/api-key.ts';
import type { KeyState } from './machine.ts';

/**
 * The key a deployment starts with, from the setting `BOOTSTRAP_KEY`: the key's id and the SHA-256
 * of its secret, `<id>:<hash>`. The key itself stays with who made it (`spikegrid keys bootstrap`).
 *
 * @throws TypeError where the setting has another form
 */
export function firstKeyOf(setting: string, now: number): KeyState | undefined {
  if (setting === '') return undefined;
  const [id = '', secretHash = '', ...rest] = setting.split(':');
  if (!KEY_ID.test(id) || !/^[0-9a-f]{64}$/.test(secretHash) || rest.length > 0) {
    throw new TypeError(
      'BOOTSTRAP_KEY must be what `spikegrid keys bootstrap` prints: <id>:<hash>',
    );
  }
  return {
    id,
    secretHash,
    name: 'bootstrap',
    team: DEFAULT_TEAM,
    scopes: Scope.options,
    createdAt: now,
    createdBy: 'system',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
}
