import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An answer that a test was given, by the path it has at the gateway. */
export interface Sighting {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The code of a refusal; empty where there is none. */
  readonly code: string;
}

/** Where the paths of a service lie at the gateway, by the origin of the service. */
const prefixes = new Map<string, string>();
const lines = new Set<string>();

/** From here on, answers of this origin count as those of a service. */
export function watchOrigin({ origin }: URL, prefix: string): void {
  prefixes.set(origin, prefix);
}

/** Notes what a service answered; other servers do not count. */
export function noteAnswer(origin: string, { method, path, status, code }: Sighting): void {
  const prefix = prefixes.get(origin);
  if (prefix !== undefined) lines.add(`${method} ${prefix}${path} ${status} ${code}`);
}

/** The code that the text of a problem document holds; empty where it holds none. */
export const codeIn = (text: string): string => /"code":"([a-z_]+)"/.exec(text)?.[1] ?? '';

/** Writes down what was noted since the last time, and forgets the services: another may get their ports. */
export function writeLog(folder: string, name: string): void {
  writeFileSync(join(folder, `${name}.log`), [...lines].join('\n'));
  lines.clear();
  prefixes.clear();
}

/** Responses noted by the tests of these names; a name without a log did not run to its end. */
export function readLogs(folder: string): ReadonlyMap<string, readonly Sighting[]> {
  return new Map(
    readdirSync(folder).map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return [file.replace(/\.log$/, ''), text.split('\n').filter(Boolean).map(sightingOf)];
    }),
  );
}

function sightingOf(line: string): Sighting {
  const [method = '', path = '', status = '', code = ''] = line.split(' ');
  return { method, path, status: Number(status), code };
}
