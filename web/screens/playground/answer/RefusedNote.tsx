import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useNow } from '../../../ui/use-now.ts';
import css from '../Playground.module.css';
import { usePlaygroundText } from '../playground-text.ts';
import { Note } from '../../../ui/Layout.tsx';

interface RefusedNoteProps {
  readonly error: unknown;
  /** ms since 1970: when the service said to ask again; null where it said nothing. */
  readonly retryAt: number | null;
  readonly onAgain: () => void;
}

/** Why there is no answer; where the service is busy, how long to wait. */
export function RefusedNote({ error, retryAt, onAgain }: RefusedNoteProps) {
  if (retryAt === null) return <ErrorState error={error} onRetry={onAgain} />;
  return (
    <>
      <ErrorState error={error} />
      <Waiting until={retryAt} onAgain={onAgain} />
    </>
  );
}

const TICK_MS = 250;

interface WaitingProps {
  readonly until: number;
  readonly onAgain: () => void;
}

function Waiting({ until, onAgain }: WaitingProps) {
  const { t } = usePlaygroundText();
  const left = Math.max(0, Math.ceil((until - useNow(TICK_MS)) / 1000));
  return (
    <p className={css['actions']}>
      <Button icon="retry" state={left > 0 ? 'blocked' : 'ready'} onClick={onAgain}>
        {left > 0 ? t('answer.againIn', { count: left }) : t('answer.again')}
      </Button>
      <Note as="span">{t('answer.retryAfter')}</Note>
    </p>
  );
}
