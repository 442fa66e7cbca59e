import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS, SHARED, type Words, wordsOf } from '../engine/backends/wasm/arguments.ts';
import * as sizes from '../engine/backends/wasm/sizes.ts';
import { isWritten } from '../engine/kernel-language/written-kernel.ts';
import { kernels } from '../engine/kernels/kernels.ts';

/**
 * Writes down in AssemblyScript what its kernels share with the rows and the binders: `arguments.ts` has a
 * class for each kernel by hand, `SpikeCount` with the words of the row `spike_count` as fields, and the places
 * of names that attributes choose from; `sizes.ts` the sizes.
 *
 *   node tools/write-arguments.ts FOLDER
 */
const [folder = ''] = process.argv.slice(2);

const TYPES = { address: 'usize', int: 'i32', float: 'f32' };

const byHand = Object.values(kernels).filter((kernel) => !isWritten(kernel));
const classes = [
  ...Object.entries(PARTS).map(([name, words]) => classOf(name, words)),
  ...byHand.map((kernel) => classOf(pascalCase(kernel.name), wordsOf(kernel))),
  ...Object.entries(SHARED).map(([name, words]) => classOf(pascalCase(name), words)),
];
const places = byHand.flatMap(({ attributes }) => Object.entries(attributes).flatMap(placesOf));
const numbers = Object.entries(sizes).flatMap(([name, size]) => {
  if (typeof size !== 'number') return [];
  return [`export const ${name}: ${name.endsWith('BYTES') ? 'usize' : 'i32'} = ${size};\n`];
});
mkdirSync(folder, { recursive: true });
write('arguments.ts', [...new Set(places), ...classes].join('\n'));
write('sizes.ts', numbers.join(''));

/** At once, as another process may read the file; what that one writes is the same. */
function write(name: string, text: string): void {
  const partial = join(folder, `${name}.${process.pid}`);
  writeFileSync(partial, text);
  renameSync(partial, join(folder, name));
}

/** `SURROGATE_ATAN` for the first of the names of an attribute `surrogate`. */
function placesOf([attribute, type]: [string, unknown]): string[] {
  if (!Array.isArray(type)) return [];
  return type.map(
    (name, place) =>
      `export const ${`${attribute}_${String(name)}`.toUpperCase()}: i32 = ${place};\n`,
  );
}

function classOf(name: string, words: Words): string {
  const fields = Object.entries(words).map(([word, type]) => `  ${word}: ${TYPES[type]};`);
  return `@unmanaged
export class ${name} {
${[...fields, ...partsIn(name, words)].join('\n')}
}
`;
}

/** Parts whose words are all there, side by side and in their order. */
function partsIn(name: string, words: Words): string[] {
  const all = Object.keys(words).join();
  return Object.entries(PARTS).flatMap(([part, own]) => {
    const [first] = Object.keys(own);
    if (part === name || !`,${all},`.includes(`,${Object.keys(own).join()},`)) return [];
    const at = `changetype<usize>(this) + offsetof<${name}>('${first}')`;
    return `  get ${part.toLowerCase()}(): ${part} {
    return changetype<${part}>(${at});
  }`;
  });
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
