import type { Message } from './message.ts';

type Catalogue = Record<string, Message>;

const catalogues = new Map<string, Catalogue>();

/** A catalogue that is fetched: empty until it has come. What the build puts in place of its module. */
export function fetchedCatalogue(name: string): Catalogue {
  const known = catalogues.get(name) ?? {};
  catalogues.set(name, known);
  return known;
}

/** Fills the catalogues with what was fetched, those that are asked for later as well. */
export function fillCatalogues(words: Readonly<Record<string, Catalogue>>): void {
  for (const [name, messages] of Object.entries(words)) {
    Object.assign(fetchedCatalogue(name), messages);
  }
}
