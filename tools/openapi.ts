import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { breakingChanges } from '../edge/api-description/changes.ts';
import type { OpenApiDocument } from '../edge/api-description/document.ts';
import { operationsOf } from '../edge/api-description/generate.ts';
import { documentOf, PLATFORM } from '../edge/api-description/platform.ts';
import { SERVICE_NAMES, SERVICES } from '../edge/api-description/services.ts';

/**
 * Holds docs/openapi.json against the contract, and every table of endpoints against the
 * description; with `--write` it writes the file.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const path = `${root}docs/openapi.json`;
const isWriting = process.argv.includes('--write');

const current = asJson(documentOf('gateway'));
const committed = readCommitted();
const changes = committed ? breakingChanges(committed, current) : [];
const gaps = [...undescribedTables(await endpointTables()), ...unclearSummaries()];
const isStale = !isDeepStrictEqual(committed, current);

for (const change of changes) console.log(`breaking: ${change}`);
for (const gap of gaps) console.error(`openapi: ${gap}`);
if (isStale && isWriting) write();
if (isStale && !isWriting) {
  console.error('openapi: docs/openapi.json is stale: write it with node tools/openapi.ts --write');
}
process.exit(gaps.length > 0 || (isStale && !isWriting) ? 1 : 0);

/** The committed document is JSON, which knows no undefined. */
function asJson(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument;
}

function readCommitted(): OpenApiDocument | undefined {
  try {
    // Written by this file.
    return JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
  } catch {
    return undefined;
  }
}

function write(): void {
  writeFileSync(path, JSON.stringify(current, null, 2));
  spawnSync(`${root}node_modules/.bin/oxfmt`, [path], { cwd: root, stdio: 'inherit' });
}

/** Every table of endpoints that a feature of the edge exports, by its name. */
async function endpointTables(): Promise<ReadonlyMap<string, object>> {
  const files = globSync(['edge/*/endpoints.ts', 'edge/*/*-endpoints.ts'], { cwd: root });
  const modules = await Promise.all(
    files.map(async (file) => (await import(root + file)) as object),
  );
  const exported = modules.flatMap((module) => Object.entries(module) as [string, object][]);
  return new Map(exported.filter(([name]) => name.endsWith('Endpoints')));
}

function undescribedTables(tables: ReadonlyMap<string, object>): readonly string[] {
  const described = new Set<unknown>(
    SERVICE_NAMES.flatMap((name) => SERVICES[name].tables).flatMap(({ endpoints }) =>
      Object.values(endpoints),
    ),
  );
  return [...tables]
    .filter(([, table]) => Object.values(table).some((endpoint) => !described.has(endpoint)))
    .map(([name]) => `${name} is in no service of edge/api-description/services.ts`);
}

function unclearSummaries(): readonly string[] {
  return [...operationsOf(PLATFORM)]
    .filter(({ endpoint }) => !/^[A-Z].{8,}\.$/s.test(endpoint.summary))
    .map(({ verb, path: at }) => `${verb.toUpperCase()} ${at}: its summary is no sentence`);
}
