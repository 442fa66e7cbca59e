// Makes a key for each part of a deployment, with the scopes that it needs and no more:
//   node deploy/make-keys.mjs GATEWAY FIRST-KEY-FILE FOLDER
// Each lies in FOLDER/<part>/key, which only its user can read. One that is there already stays.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SCOPES = {
  inference: ['registry:read', 'metrics:write'],
  trainer: ['train', 'registry:read', 'registry:write'],
  'plugin-host': ['admin'],
  node: ['infer', 'discovery:read', 'geo:node', 'registry:read', 'logs:write'],
  greeting: ['admin'],
};

const [gateway = '', firstKeyFile = '', folder = ''] = process.argv.slice(2);
if (folder === '') {
  console.error('expected: node deploy/make-keys.mjs GATEWAY FIRST-KEY-FILE FOLDER');
  process.exit(1);
}

for (const [part, scopes] of Object.entries(SCOPES)) {
  const path = join(folder, part, 'key');
  if (existsSync(path)) continue;
  mkdirSync(dirname(path), { recursive: true });
  const answer = await fetch(`${gateway}/api/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(firstKeyFile, 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: part, scopes }),
  });
  const made = await answer.json();
  if (!answer.ok) {
    console.error(`no key for ${part}: ${made.detail}`);
    process.exit(1);
  }
  writeFileSync(path, `${made.key}\n`, { mode: 0o400, flag: 'wx' });
  console.log(`${path}: ${scopes.join(', ')}`);
}
