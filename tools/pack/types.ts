import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Statement } from './declarations.ts';
import { entries, packed, root } from './places.ts';
import { type DeclarationFile, ReachedTypes } from './reached.ts';

/** Where `tsc -b` puts declarations; the package has them in the same folders. */
const built = join(root, '.tsbuild');
const types = join(packed, 'types');

/** Of browsers; a project without their types has none of these names. */
const GPU = /\bGPU\b/;

/** Writes the declarations that the public entries lead to below types/, and returns how many files they are. */
export function writeTypes(): number {
  const reached = new ReachedTypes();
  for (const entry of entries) reached.wantAll(join(built, 'library', `${entry}.d.ts`));
  const written = [...reached.files.values()].filter(({ kept }) => kept.size > 0);
  for (const file of written) write(file);
  writeFileSync(join(types, 'gpu.d.ts'), 'interface GPU {}\n');
  return written.length;
}

function write({ path, statements, kept, spoken }: DeclarationFile): void {
  const place = join(types, relative(built, path));
  const lines = statements.filter((one) => kept.has(one)).map((one) => printed(one, spoken));
  const text = `${lines.join('\n')}\n`.replaceAll(/(['"]\.[^'"\n]*)\.ts(['"])/g, '$1.js$2');
  const gpu = relative(dirname(place), join(types, 'gpu.d.ts'));
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, GPU.test(text) ? `/// <reference path="${gpu}" />\n${text}` : text);
}

/** Of names taken from another file those that are spoken of. */
function printed({ text, taken }: Statement, spoken: ReadonlySet<string>): string {
  if (!taken || [...taken.names.values()].includes('*')) return text;
  return text.replace(/\{([^]*?)\}/, (_, list: string) => {
    const left = list.split(',').filter((one) => spoken.has(/(\w+)\s*$/.exec(one)?.[1] ?? ''));
    return `{ ${left.map((one) => one.trim()).join(', ')} }`;
  });
}
