import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/**
 * Measures what a visitor downloads of the built dashboard, in kB of 1000 bytes after gzip, and
 * fails over the bars of docs/bars.md. Build first: `npx vite build`.
 */
const dist = fileURLToPath(new URL('../dist/web/', import.meta.url));

/** The parts of Vite's manifest that say what is loaded with what. */
interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;
type Follow = 'static' | 'all';

/**
 * Size in kB, and the bar that it may not exceed. Of all JavaScript the aim lies lower, at 450:
 * docs/decisions/0035-house.md says how far it is.
 */
interface Measured {
  readonly what: string;
  readonly kilobytes: number;
  readonly bar: number;
}

const manifest = readManifest();
const firstLoad = reach(['index.html'], 'static');
const screens = Object.keys(manifest).filter((key) => manifest[key]?.src?.startsWith('screens/'));

const measured: readonly Measured[] = [
  { what: 'first load, JavaScript', kilobytes: weigh(scriptsOf(firstLoad)), bar: 110 },
  { what: 'first load, CSS', kilobytes: weigh(stylesOf(firstLoad)), bar: 20 },
  ...screens.map((screen) => ({
    what: `first load and ${screen}`,
    kilobytes: weigh(scriptsOf(reach([screen], 'all', firstLoad))),
    bar: 200,
  })),
  { what: 'all JavaScript', kilobytes: weigh(allScripts()), bar: 775 },
];

for (const { what, kilobytes, bar } of measured) {
  const verdict = kilobytes <= bar ? 'ok  ' : 'FAIL';
  console.log(`${verdict} ${what}: ${kilobytes.toFixed(1)} kB of ${bar}`);
}
process.exit(measured.some(({ kilobytes, bar }) => kilobytes > bar) ? 1 : 0);

function readManifest(): Manifest {
  const path = join(dist, '.vite/manifest.json');
  try {
    // Written by Vite itself; its form is part of Vite's interface.
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`size: there is no built dashboard to measure: ${reason}\n`);
    return process.exit(1);
  }
}

/**
 * Every chunk that is loaded with `from`: over static imports, or over those made later as well. What
 * is `loaded` already is counted, but not followed: it leads to every other screen.
 */
function reach(from: readonly string[], follow: Follow, loaded?: ReadonlySet<string>): Set<string> {
  const reached = new Set<string>(loaded);
  const open = [...from];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    const { imports = [], dynamicImports = [] } = manifest[key] ?? {};
    open.push(...imports, ...(follow === 'all' ? dynamicImports : []));
  }
  return reached;
}

function scriptsOf(chunks: ReadonlySet<string>): Set<string> {
  const files = [...chunks].flatMap((key) => manifest[key]?.file ?? []);
  return new Set(files.filter((file) => file.endsWith('.js')));
}

function stylesOf(chunks: ReadonlySet<string>): Set<string> {
  return new Set([...chunks].flatMap((key) => manifest[key]?.css ?? []));
}

/** Workers too, which the manifest does not name; the guide is a site of its own. */
function allScripts(): Set<string> {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  return new Set(files.filter((file) => file.endsWith('.js') && !file.startsWith('guide/')));
}

function weigh(files: ReadonlySet<string>): number {
  const bytes = [...files].map((file) => gzipSync(readFileSync(join(dist, file))).length);
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}
