import type { LogStreamState } from '../../../edge/logs/contract/log-stream.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Toggle } from '../../ui/Toggle.tsx';
import type { LogBuffer } from './log-buffer.ts';
import type { LogRows } from './log-rows.ts';
import css from './Logs.module.css';
import { useLogsText } from './words/en-logs.ts';
import { Row } from '../../ui/Layout.tsx';

interface LogToolsProps {
  readonly buffer: LogBuffer;
  readonly rows: LogRows;
  readonly state: LogStreamState;
  readonly isSearching: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

const TONES: Readonly<Record<LogStreamState['status'], BadgeTone>> = {
  connecting: 'neutral',
  live: 'good',
  lost: 'warn',
  closed: 'neutral',
};

/** How the stream is, how many lines there are, and what can be done with them. */
export function LogTools(props: LogToolsProps) {
  const { buffer, rows, state, isSearching, isFollowing, onFollow } = props;
  const { t } = useLogsText();
  const total = buffer.end - buffer.start;
  const shown = rows.end - rows.start;
  return (
    <Row gap={[2, 3]}>
      <p className={css['count']}>
        <Badge tone={TONES[state.status]}>{t(`state.${state.status}`)}</Badge>
        <span>
          {isSearching
            ? t('tools.hits', { count: shown, total })
            : t('tools.lines', { count: total })}
        </span>
      </p>
      <Toggle state={isFollowing ? 'on' : 'off'} onToggle={(toggled) => onFollow(toggled === 'on')}>
        {t('tools.follow')}
      </Toggle>
      <Button icon="download" onClick={() => saveFile('spikegrid-log.jsonl', fileOf(buffer, rows))}>
        {t('tools.download')}
      </Button>
    </Row>
  );
}

/** The rows as lines of JSON. */
function fileOf(buffer: LogBuffer, { start, end, placeOf }: LogRows): Blob {
  const lines = Array.from({ length: end - start }, (_, i) => buffer.at(placeOf(start + i)));
  const text = lines.filter(Boolean).map((item) => `${JSON.stringify(item)}\n`);
  return new Blob(text, { type: 'application/jsonl' });
}
