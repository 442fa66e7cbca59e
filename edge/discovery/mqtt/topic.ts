/** A topic filter, split into levels. */
export interface TopicFilter {
  /** As the client wrote it. */
  readonly text: string;
  /** The name in `$share/<name>/<filter>`, whose members share the messages. */
  readonly share: string | undefined;
  readonly levels: readonly string[];
}

const SHARE = '$share';
/** Deeper topics are refused, as the topic tree is walked level by level. */
const MAX_LEVELS = 32;
const MAX_LENGTH = 1024;

export const levelsOf = (topic: string): readonly string[] => topic.split('/');

/** Whether messages can be published to a topic (MQTT-3.3.2-2, MQTT-4.7.3-1). */
export function isTopicName(topic: string): boolean {
  return isSane(topic) && !/[+#]/.test(topic);
}

const isSane = (topic: string) =>
  topic !== '' && topic.length <= MAX_LENGTH && levelsOf(topic).length <= MAX_LEVELS;

/**
 * Parses a topic filter; undefined where it is invalid (section 4.7.1, MQTT-4.8.2-1, MQTT-4.8.2-2).
 */
export function parseFilter(text: string): TopicFilter | undefined {
  if (!isSane(text)) return undefined;
  const all = levelsOf(text);
  const [first, share = '', ...rest] = all;
  if (first !== SHARE)
    return areFilterLevels(all) ? { text, share: undefined, levels: all } : undefined;
  const isShared = share !== '' && !/[+#]/.test(share) && rest.join('/') !== '';
  return isShared && areFilterLevels(rest) ? { text, share, levels: rest } : undefined;
}

/** A wildcard fills a level, and `#` is the last one (MQTT-4.7.1-1, MQTT-4.7.1-2). */
const areFilterLevels = (levels: readonly string[]): boolean =>
  levels.every(
    (level, i) =>
      level === '+' || (level === '#' && i === levels.length - 1) || !/[+#]/.test(level),
  );

/** Whether a filter's levels match those of a topic name (section 4.7). */
export function matchesTopic(filter: readonly string[], topic: readonly string[]): boolean {
  if (hidesTopic(filter[0], topic[0])) return false;
  for (const [i, level] of filter.entries()) {
    if (level === '#') return true;
    if (i >= topic.length || (level !== '+' && level !== topic[i])) return false;
  }
  return filter.length === topic.length;
}

/** A leading wildcard does not match the server's own topics (MQTT-4.7.2-1). */
const hidesTopic = (level: string | undefined, first: string | undefined): boolean =>
  (level === '+' || level === '#') && first !== undefined && first.startsWith('$');

interface Branch<T> {
  readonly children: Map<string, Branch<T>>;
  /** The values of this filter, by key. */
  readonly values: Map<string, T>;
}

/** Values by topic filter, found by topic name in time proportional to its levels. */
export class TopicTree<T> {
  readonly #root: Branch<T> = branch();

  /** Sets a value at a filter, replacing one of the same key. */
  set(levels: readonly string[], key: string, value: T): void {
    let at = this.#root;
    for (const level of levels) {
      const known = at.children.get(level);
      const next = known ?? branch<T>();
      if (!known) at.children.set(level, next);
      at = next;
    }
    at.values.set(key, value);
  }

  get(levels: readonly string[], key: string): T | undefined {
    return this.#path(levels).at(levels.length)?.values.get(key);
  }

  delete(levels: readonly string[], key: string): void {
    const path = this.#path(levels);
    path.at(levels.length)?.values.delete(key);
    // Empty branches are removed, or old topics would fill the memory.
    for (let i = levels.length; i > 0; i--) {
      const bare = path[i];
      if (!bare || bare.values.size > 0 || bare.children.size > 0) return;
      path[i - 1]?.children.delete(levels[i - 1] ?? '');
    }
  }

  /** The values of all filters that match a topic name. */
  match(topic: readonly string[], found: T[] = []): T[] {
    const isHidden = topic[0]?.startsWith('$') ?? false;
    walk(this.#root, { topic, found, isHidden }, 0);
    return found;
  }

  #path(levels: readonly string[]): (Branch<T> | undefined)[] {
    const path: (Branch<T> | undefined)[] = [this.#root];
    for (const level of levels) path.push(path.at(-1)?.children.get(level));
    return path;
  }
}

const branch = <T>(): Branch<T> => ({ children: new Map(), values: new Map() });

interface Search<T> {
  readonly topic: readonly string[];
  readonly found: T[];
  /** A leading wildcard does not match the server's own topics (MQTT-4.7.2-1). */
  readonly isHidden: boolean;
}

function walk<T>(at: Branch<T>, search: Search<T>, depth: number): void {
  const { topic, found, isHidden } = search;
  const takesWildcards = !(isHidden && depth === 0);
  // `a/#` matches `a` too (section 4.7.1.2).
  if (takesWildcards) collect(at.children.get('#'), found);
  const level = topic[depth];
  if (level === undefined) {
    collect(at, found);
    return;
  }
  const same = at.children.get(level);
  if (same) walk(same, search, depth + 1);
  const any = takesWildcards ? at.children.get('+') : undefined;
  if (any) walk(any, search, depth + 1);
}

function collect<T>(at: Branch<T> | undefined, found: T[]): void {
  if (!at) return;
  for (const value of at.values.values()) found.push(value);
}
