import { unusedExports } from './exports.ts';
import { files, FOLDERS, imports, isProduct, isScript, text } from './modules.ts';

/**
 * Counts what docs/decisions/0035-house.md holds the code to: lines, import circles with types, small files
 * with one importer, exports without one.
 *
 *   node tools/house.ts            the figures
 *   node tools/house.ts circles    with every circle; so too small, exports
 */
const shown = process.argv[2];
const SMALL_LINES = 30;

const linesOf = (file: string) => (text.get(file)?.match(/\n/g) ?? []).length;
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

/** Groups of modules that import each other in a circle (Tarjan, 1972). */
function circles(): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const { to } of imports.get(file) ?? []) {
      if (!isScript(to)) continue;
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group);
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}

function importers(): ReadonlyMap<string, ReadonlySet<string>> {
  const by = new Map<string, Set<string>>();
  for (const [file, all] of imports) {
    for (const { to } of all) by.set(to, (by.get(to) ?? new Set()).add(file));
  }
  return by;
}

const product = files.filter(isProduct);
const by = importers();
const small = product.filter(
  (file) => isScript(file) && linesOf(file) < SMALL_LINES && by.get(file)?.size === 1,
);
const allCircles = circles();
const unused = unusedExports();
const lengths = product
  .filter(isScript)
  .map(linesOf)
  .toSorted((a, b) => a - b);
const what = sum(
  product.map((file) => text.get(file)?.match(/\/\*\*\s+(?:\* )?What\b/g)?.length ?? 0),
);

for (const folder of FOLDERS) {
  const inside = product.filter((file) => file.startsWith(`${folder}/`));
  console.log(`${folder.padEnd(9)} ${sum(inside.map(linesOf))} lines, ${inside.length} files`);
}
console.log(
  `in all    ${sum(product.map(linesOf))} lines, ${product.length} files; median ${lengths[lengths.length >> 1]}`,
);
console.log(
  `circles   ${allCircles.length}, the largest of ${Math.max(0, ...allCircles.map((one) => one.length))} files`,
);
console.log(`small     ${small.length} files under ${SMALL_LINES} lines with one importer`);
console.log(`exports   ${unused.length} that no other file imports`);
console.log(`"What"    ${what} doc comments begin with it`);
if (shown === 'circles') for (const circle of allCircles) console.log(circle.join('\n  '));
if (shown === 'small') console.log(small.join('\n'));
if (shown === 'exports') console.log(unused.join('\n'));
