import type { Failure } from '../../lab/failure.ts';
import { Icon } from '../../ui/Icon.tsx';
import css from './FailureNote.module.css';
import { failureWords } from './failure-words.ts';
import { useLabText } from './lab-text.ts';

/** What went wrong, where it did: in a sentence, and with the values as the engine says them. */
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
