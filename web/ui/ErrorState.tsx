import { describeFailure } from '../api/failure.ts';
import { useText } from '../i18n/text-context.ts';
import { Button } from './Button.tsx';
import css from './ErrorState.module.css';
import { Icon } from './Icon.tsx';

interface ErrorStateProps {
  /** The thrown value: a ProblemError, or an error of fetch or of a component. */
  readonly error: unknown;
  /** Asks again; offered only where that may help. */
  readonly onRetry?: () => void;
}

/** Where something should be but could not be had: what went wrong, what to quote, and a retry. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const text = useText();
  const { title, detail, code, traceId, isRetryable } = describeFailure(error, text);
  return (
    <div className={css['state']} role="alert">
      <span className={css['icon']}>
        <Icon name="error" />
      </span>
      <div className={css['words']}>
        <p className={css['title']}>{title}</p>
        {detail && (
          <p className={css['detail']} lang="en">
            {detail}
          </p>
        )}
        <p className={css['codes']}>
          <code>{code}</code>
          {traceId && <span>{text.t('ui.trace', { id: traceId })}</span>}
        </p>
      </div>
      {onRetry && isRetryable && (
        <Button icon="retry" onClick={onRetry}>
          {text.t('ui.retry')}
        </Button>
      )}
    </div>
  );
}
