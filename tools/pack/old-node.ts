import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packed } from './places.ts';

/** Newer than Node 20 and the browsers of its time. Our own code is held to it by its types; this is for libraries, too. */
const MISSING =
  /\b(?:Promise\.(?:withResolvers|try)|(?:Map|Object)\.groupBy|Array\.fromAsync|Iterator\.from|RegExp\.escape|Uint8Array\.fromBase64|Float16Array|import\.meta\.(?:dirname|filename)|new Set\([^)]*\)\.(?:union|intersection|difference)|globSync)\b/g;

/** @throws an Error that names the file and what it uses */
export function refuseNewerThanNode20(): void {
  const dist = join(packed, 'dist');
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const found = scripts.flatMap((file) => {
    const code = readFileSync(join(dist, file), 'utf8').replaceAll(
      /\/\*[^]*?\*\/|^\s*\/\/.*$/gm,
      '',
    );
    return Array.from(code.matchAll(MISSING), ([use]) => `${file}: ${use}`);
  });
  if (found.length === 0) return;
  throw new Error(`the package uses what Node 20 lacks:\n${found.join('\n')}`);
}
