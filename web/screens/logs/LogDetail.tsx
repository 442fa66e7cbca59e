import { useCopy } from '../../app/use-copy.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { LogItem } from './log-buffer.ts';
import { gapText, TONES } from './LogRow.tsx';
import css from './Logs.module.css';
import { useLogsText } from './words/en-logs.ts';

interface LogDetailProps {
  readonly item: LogItem;
  readonly onClose: () => void;
}

/** All that one line holds. */
export function LogDetail({ item, onClose }: LogDetailProps) {
  const text = useLogsText();
  const { t } = text;
  const copy = useCopy();
  return (
    <div aria-live="polite">
      <Panel
        title={t('detail.title')}
        actions={
          <>
            <Button icon="copy" onClick={() => void copy(JSON.stringify(item, null, 2))}>
              {t('detail.copy')}
            </Button>
            <IconButton icon="close" label={t('detail.close')} onClick={onClose} />
          </>
        }
      >
        {item.type === 'gap' ? <p>{gapText(text, item)}</p> : <Message log={item} />}
      </Panel>
    </div>
  );
}

function Message({ log }: { readonly log: Extract<LogItem, { type: 'log' }> }) {
  const { t, format } = useLogsText();
  const facts = [
    { label: t('detail.level'), value: <Badge tone={TONES[log.level]}>{log.level}</Badge> },
    { label: t('detail.time'), value: format.dateTime(new Date(log.timestamp)) },
    { label: t('detail.source'), value: log.source },
    { label: t('detail.node'), value: log.module_type },
    { label: t('detail.event'), value: log.event },
    { label: t('detail.trace'), value: log.trace_id },
    { label: t('detail.seq'), value: format.integer(log.seq) },
    { label: t('detail.id'), value: log.id },
  ];
  return (
    <>
      <p className={css['whole']} lang="">
        {log.message}
      </p>
      <Facts facts={facts.filter(({ value }) => value !== null)} />
      {log.data && (
        <section
          className={css['data']}
          aria-label={t('detail.data')}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
          tabIndex={0}
        >
          <pre>{JSON.stringify(log.data, null, 2)}</pre>
        </section>
      )}
    </>
  );
}
