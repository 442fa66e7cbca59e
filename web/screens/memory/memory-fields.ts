import { ProblemError } from '../../../edge/contract/problem-error.ts';
import { MAX_CAUSAL_HOPS } from '../../../edge/memory/contract/causal.ts';
import { DEFAULT_MEMORY_NAMESPACE } from '../../../edge/memory/contract/memory.ts';
import { MEMORY_SEARCH, MemoryStrategy } from '../../../edge/memory/contract/search.ts';
import type { GraphSearch, MemoryPlace, MemorySearch } from '../../api/memory.ts';
import { integer, moment, number, oneOf, text, type Values } from '../../url-state/fields.ts';

/** Causes and effects are text: no other character is sure not to occur in them. */
const SEPARATOR = '\n';
/** The API's maximum of start nodes. */
const MAX_SEEDS = 16;
export const DIRECTIONS = ['both', 'causes', 'effects'] as const;
export const LIMITS = ['50', '100', '200', '500'] as const;

export const FIELDS = {
  tab: oneOf('memories', ['memories', 'causes', 'forget']),
  ns: text(DEFAULT_MEMORY_NAMESPACE, 63),
  owner: text('', 300),
  at: moment,
  memory: text('', 40),

  q: text('', MEMORY_SEARCH.q),
  user: text('', 128),
  session: text('', 128),
  tags: text('', 400),
  strategy: oneOf('hybrid', MemoryStrategy.options),
  min: number(0, { min: 0, max: 1 }),
  view: oneOf('table', ['table', 'json']),

  start: text('', 4_000),
  hops: integer(2, { min: 0, max: MAX_CAUSAL_HOPS }),
  way: oneOf('both', DIRECTIONS),
  most: oneOf('100', LIMITS),
  graph: oneOf('graph', ['graph', 'table', 'json']),
  node: text('', 1_000),
  link: text('', 2_100),
  from: text('', 1_000),
  to: text('', 1_000),
};
export type MemoryFields = Values<typeof FIELDS>;
export type ChangeMemoryFields = (change: Partial<MemoryFields>) => void;

export const placeOf = ({ ns, owner }: MemoryFields): MemoryPlace => ({
  namespace: ns,
  ...(owner !== '' && { owner }),
});

/** The change to another namespace, which closes what is open. */
export const goTo = ({ ns, owner }: Pick<MemoryFields, 'ns' | 'owner'>): Partial<MemoryFields> => ({
  ns,
  owner,
  memory: '',
  start: '',
  node: '',
  link: '',
  from: '',
  to: '',
});

/** The search of the list. */
export function searchOf(fields: MemoryFields): MemorySearch {
  const { q, user, session, strategy, min, at } = fields;
  const tags = namesIn(fields.tags);
  return {
    // Normalises full-width digits and half-width katakana.
    ...(q.trim() !== '' && { q: q.normalize('NFKC').trim(), strategy }),
    ...(min > 0 && { min_score: min }),
    ...(user !== '' && { user_id: user }),
    ...(session !== '' && { session_id: session }),
    ...(tags.length > 0 && { tags }),
    ...(at !== '' && { as_of: at }),
  };
}

/** Clears all filters. */
export const NO_FILTERS = { q: '', user: '', session: '', tags: '', min: 0 } as const;

export const isFiltered = ({ q, user, session, tags, min }: MemoryFields): boolean =>
  q + user + session + tags !== '' || min > 0;

export const namesIn = (list: string): readonly string[] =>
  list
    .split(/[,、]/u)
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, 32);

/** The start nodes of the graph. */
export const startsOf = ({ start }: MemoryFields): readonly string[] =>
  start.split(SEPARATOR).filter(Boolean).slice(0, MAX_SEEDS);

export const writeStarts = (keys: readonly string[]): string =>
  [...new Set(keys)].slice(-MAX_SEEDS).join(SEPARATOR);

/** The search of the graph. */
export function graphSearchOf(fields: MemoryFields, seeds: readonly string[]): GraphSearch {
  const { hops, way: direction, most, at } = fields;
  return {
    node: seeds.slice(0, MAX_SEEDS),
    hops,
    direction,
    limit: Number(most),
    ...(at !== '' && { as_of: at }),
  };
}

/** Whether a namespace does not exist yet: it is created with its first memory. */
export const isUnknownNamespace = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === 'namespace_not_found';

/** A time range in ms since 1970. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Positions of the slider. */
export const PLACES = 1_000;

/** From the first memory to now, or to the last memory where that is later. */
export function windowOf(first: string | null, last: string | null, now: number): TimeWindow {
  const from = first === null ? now : Date.parse(first);
  const to = Math.max(now, last === null ? now : Date.parse(last));
  return { from, to: Math.max(to, from + PLACES) };
}

/** The slider position of a moment; the last is now. */
export function placeAt(at: string, { from, to }: TimeWindow): number {
  if (at === '') return PLACES;
  const fraction = (Date.parse(at) - from) / (to - from);
  return Math.round(Math.min(1, Math.max(0, fraction)) * PLACES);
}

/** The moment of a slider position as ISO 8601; empty for now. */
export function momentAt(place: number, { from, to }: TimeWindow): string {
  if (place >= PLACES) return '';
  return new Date(from + ((to - from) * place) / PLACES).toISOString();
}

/** The start and end of an interval in the window, from 0 to 1; open intervals reach the end. */
export function spanOf(
  validAt: string,
  invalidAt: string | null,
  { from, to }: TimeWindow,
): readonly [start: number, end: number] {
  const fraction = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from)));
  return [fraction(Date.parse(validAt)), invalidAt === null ? 1 : fraction(Date.parse(invalidAt))];
}
