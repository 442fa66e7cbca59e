/** A topic filter, cut at its slashes. */
export interface TopicFilter {
  /** As the client wrote it. */
  readonly text: string;
  /** Of `$share/<name>/<filter>`: whose members share the messages among them. */
  readonly share: string | undefined;
  readonly levels: readonly string[];
}

const SHARE = '$share';
/** Deeper ones are refused: a tree of topics is walked level by level. */
export const MAX_LEVELS = 32;
const MAX_LENGTH = 1024;

export const levelsOf = (topic: string): readonly string[] => topic.split('/');

/** Whether messages can be published there (MQTT-3.3.2-2, MQTT-4.7.3-1). */
export function isTopicName(topic: string): boolean {
  return isSane(topic) && !/[+#]/.test(topic);
}

const isSane = (topic: string) =>
  topic !== '' && topic.length <= MAX_LENGTH && levelsOf(topic).length <= MAX_LEVELS;

/** Reads a topic filter; undefined where it is none (section 4.7.1, MQTT-4.8.2-1, MQTT-4.8.2-2). */
export function parseFilter(text: string): TopicFilter | undefined {
  if (!isSane(text)) return undefined;
  const all = levelsOf(text);
  const [first, share = '', ...rest] = all;
  if (first !== SHARE)
    return areFilterLevels(all) ? { text, share: undefined, levels: all } : undefined;
  const isShared = share !== '' && !/[+#]/.test(share) && rest.join('/') !== '';
  return isShared && areFilterLevels(rest) ? { text, share, levels: rest } : undefined;
}

/** Wildcards fill a level, and `#` is the last one (MQTT-4.7.1-1, MQTT-4.7.1-2). */
const areFilterLevels = (levels: readonly string[]): boolean =>
  levels.every(
    (level, i) =>
      level === '+' || (level === '#' && i === levels.length - 1) || !/[+#]/.test(level),
  );

/** Whether a filter's levels match those of a topic name (section 4.7). */
export function matchesTopic(filter: readonly string[], topic: readonly string[]): boolean {
  if (isHidden(filter[0], topic[0])) return false;
  for (const [i, level] of filter.entries()) {
    if (level === '#') return true;
    if (i >= topic.length || (level !== '+' && level !== topic[i])) return false;
  }
  return filter.length === topic.length;
}

/** Topics of the server's own are not found by a wildcard in front (MQTT-4.7.2-1). */
const isHidden = (level: string | undefined, first: string | undefined): boolean =>
  (level === '+' || level === '#') && first !== undefined && first.startsWith('$');
