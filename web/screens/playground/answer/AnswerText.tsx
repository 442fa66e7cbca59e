import type { Answer } from '../exchanges/exchanges.ts';
import written from '../../../ui/Written.module.css';
import css from '../Playground.module.css';
import { usePlaygroundText } from '../playground-text.ts';
import type { Piece } from './text-diff.ts';
import { Note } from '../../../ui/Layout.tsx';

interface AnswerTextProps {
  readonly model: string;
  readonly prompt: string;
  readonly answer: Answer;
  readonly pieces: readonly Piece[] | undefined;
}

/** The prompt and what the model wrote after it, as it comes. */
export function AnswerText({ model, prompt, answer, pieces }: AnswerTextProps) {
  const { t } = usePlaygroundText();
  const isOpen = answer.status === 'waiting' || answer.status === 'writing';
  const text = 'text' in answer ? answer.text : '';
  return (
    <section
      className={written['output']}
      aria-label={t('answer.text', { model })}
      aria-busy={isOpen}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      {text === '' && <Note>{t(isOpen ? 'answer.waiting' : 'answer.nothing')}</Note>}
      <p className={written['text']}>
        <span className={written['prompt']}>{prompt}</span>
        {pieces ? <Pieces pieces={pieces} /> : text}
        {answer.status === 'writing' && <span className={written['caret']} aria-hidden="true" />}
      </p>
    </section>
  );
}

/** A text with the stretches marked that the other one lacks. */
function Pieces({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map(({ text, kind }, place) =>
    kind === 'same' ? (
      // eslint-disable-next-line react/no-array-index-key -- a piece has no name but its place
      <span key={place}>{text}</span>
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- as above
      <mark key={place} className={css['differs']}>
        {text}
      </mark>
    ),
  );
}
