import { memo } from 'react';
import type { LogLevel } from '../../../edge/logs/contract/log-message.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import type { LogItem } from './log-buffer.ts';
import css from './Logs.module.css';
import { type LogsText, useLogsText } from './words/en-logs.ts';

interface LogRowProps {
  readonly item: LogItem | undefined;
  readonly place: number;
  readonly top: string;
  readonly isChosen: boolean;
  readonly onChoose: (place: number) => void;
}

export const TONES: Readonly<Record<LogLevel, BadgeTone>> = {
  debug: 'neutral',
  info: 'good',
  warn: 'warn',
  error: 'bad',
  critical: 'bad',
};

/** A line in a row; the arrow keys of the list reach it, so that it takes no stop of the tab key. */
export const LogRow = memo(function LogRow({ item, place, top, isChosen, onChoose }: LogRowProps) {
  const text = useLogsText();
  if (!item) return null;
  const isGap = item.type === 'gap';
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classNames(css['row'], isGap && css['gap'], isChosen && css['chosen'])}
      style={{ top }}
      aria-pressed={isChosen}
      onClick={() => onChoose(place)}
    >
      {isGap ? (
        gapText(text, item)
      ) : (
        <>
          <time className={css['time']} dateTime={item.timestamp}>
            {timeOfDay(item.timestamp)}
          </time>
          <Badge tone={TONES[item.level]}>{item.level}</Badge>
          <span className={css['source']}>{item.source}</span>
          <span className={css['message']}>{item.message}</span>
        </>
      )}
    </button>
  );
});

export function gapText(
  { t }: LogsText,
  { from_seq: from, to_seq: to, dropped }: Extract<LogItem, { type: 'gap' }>,
): string {
  const range = { from: String(from), to: String(to) };
  if (dropped === null) return t('list.hole', range);
  return t('list.gap', { count: dropped, ...range });
}

const two = (value: number) => String(value).padStart(2, '0');

/** 14:03:07.120 where one is. */
function timeOfDay(timestamp: string): string {
  const date = new Date(timestamp);
  const whole = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${whole}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
