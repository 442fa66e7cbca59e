import type { LogFilter } from '../../../edge/logs/contract/log-filter.ts';
import { LogLevel } from '../../../edge/logs/contract/log-message.ts';
import { oneOf, text, type Values } from '../../url-state/fields.ts';

export const LEVELS = ['all', ...LogLevel.options] as const;

export const FIELDS = {
  level: oneOf('all', LEVELS),
  source: text('', 400),
  node: text('', 400),
  find: text('', 256),
  mode: oneOf('text', ['text', 'regex']),
};
export type LogFields = Values<typeof FIELDS>;
export type ChangeLogFields = (change: Partial<LogFields>) => void;

/** The filter that the server applies; the text search runs in this page. */
export function filterOf({ level, source, node }: LogFields): LogFilter {
  const [sources, types] = [namesIn(source), namesIn(node)];
  return {
    ...(level !== 'all' && { level }),
    ...(sources.length > 0 && { source: sources }),
    ...(types.length > 0 && { module_type: types }),
  };
}

/** Names with commas between; as many as may be asked for. */
const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, 16);
