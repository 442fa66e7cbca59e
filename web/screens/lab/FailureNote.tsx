import type { Failure } from '../../lab/failure.ts';
import { Icon } from '../../ui/Icon.tsx';
import css from './FailureNote.module.css';
import { failureWords } from './failure-words.ts';
import { useLabText } from './lab-text.ts';

/** An error next to its cause: a sentence, and the engine's message with the values. */
export function FailureNote({ failure }: { readonly failure: Failure }) {
  const { title, detail } = failureWords(failure, useLabText());
  return (
    <div className={css['note']} role="alert">
      <Icon name="error" size="small" />
      <div>
        <p className={css['title']}>{title}</p>
        {detail && (
          <p className={css['detail']} lang="en">
            {detail}
          </p>
        )}
      </div>
    </div>
  );
}
