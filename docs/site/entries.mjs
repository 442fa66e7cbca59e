import { readdirSync } from 'node:fs';

/** In the order that a reader meets them; others follow. */
const ORDER = ['index', 'losses', 'optimizers', 'data', 'graph', 'kernels', 'models'];

/** Entries of the package, their modules in library/ and their pages in the reference. */
export const entries = readdirSync(new URL('../../library/', import.meta.url))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
  .map((module) => {
    const entry = module === 'index' ? 'spikegrid' : `spikegrid/${module}`;
    return { entry, module, page: entry.replace('/', '-') };
  });

function placeOf(module) {
  const at = ORDER.indexOf(module);
  return at === -1 ? ORDER.length : at;
}
