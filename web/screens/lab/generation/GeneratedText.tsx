import type { GenerationState } from '../../../lab/lab-state.ts';
import { FailureNote } from '../FailureNote.tsx';
import { useLabText } from '../lab-text.ts';
import { classNames } from '../../../ui/class-names.ts';
import written from '../../../ui/Written.module.css';
import css from './Generation.module.css';
import { Note } from '../../../ui/Layout.tsx';

interface WrittenTextProps {
  readonly writing: GenerationState;
  /** Text shown before anything is generated. */
  readonly hint: string;
}

/** The prompt and what the model wrote after it, as it comes. */
export function GeneratedText({ writing, hint }: WrittenTextProps) {
  const { t } = useLabText();
  return (
    <section
      className={classNames(written['output'], css['output'])}
      aria-label={t('write.output')}
      aria-busy={writing.status === 'writing'}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      {writing.status === 'failed' && !isPromptFailure(writing) && (
        <FailureNote failure={writing.failure} />
      )}
      {writing.status === 'idle' ? <Note>{hint}</Note> : <Written writing={writing} />}
    </section>
  );
}

type Begun = Exclude<GenerationState, { status: 'idle' }>;

function Written({ writing }: { readonly writing: Begun }) {
  const { t } = useLabText();
  const { status, prompt, text } = writing;
  if (status === 'writing' && text === '') {
    return <Note>{t('write.loading')}</Note>;
  }
  return (
    <p className={written['text']}>
      <span className={written['prompt']}>{prompt}</span>
      {/* Without a prompt a model often starts with empty lines, which are nothing to see. */}
      {prompt === '' ? text.trimStart() : text}
      {status === 'writing' && <span className={written['caret']} aria-hidden="true" />}
    </p>
  );
}

/** Whether only the prompt caused the failure, which is then shown at the prompt. */
export function isPromptFailure(writing: GenerationState): boolean {
  return (
    writing.status === 'failed' &&
    writing.failure.kind === 'engine' &&
    writing.failure.code === 'unknown-character'
  );
}
