import { renameSync, writeFileSync } from 'node:fs';
import { PARTS, SHARED, type Words, wordsOf } from '../engine/backends/wasm/arguments.ts';
import { isWritten } from '../engine/kernel-language/written-kernel.ts';
import { kernels } from '../engine/kernels/kernels.ts';

/**
 * Writes, in AssemblyScript, a class for the arguments of each kernel by hand: `SpikeCount` has the words of
 * the row `spike_count` as fields.
 *
 *   node tools/write-arguments.ts FILE
 */
const [file = ''] = process.argv.slice(2);

const TYPES = { address: 'usize', int: 'i32', float: 'f32' };

const byHand = Object.values(kernels).filter((kernel) => !isWritten(kernel));
const classes = [
  ...Object.entries(PARTS).map(([name, words]) => classOf(name, words)),
  ...byHand.map((kernel) => classOf(pascalCase(kernel.name), wordsOf(kernel))),
  ...Object.entries(SHARED).map(([name, words]) => classOf(pascalCase(name), words)),
];
// Another process may read it: what it writes is the same.
writeFileSync(`${file}.${process.pid}`, classes.join('\n'));
renameSync(`${file}.${process.pid}`, file);

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
