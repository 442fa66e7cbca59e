import { useMemo } from 'react';
import type { Answer, Exchange } from '../exchanges/exchanges.ts';
import { namesOf } from '../exchanges/question.ts';
import css from '../Playground.module.css';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';
import { AnswerPanel } from './AnswerPanel.tsx';
import { diffTexts, type TextDiff } from './text-diff.ts';

interface AnswersProps {
  readonly exchange: Exchange;
  /** The layer whose spikes are drawn; the first one where it is empty. */
  readonly layer: string;
  readonly onLayer: (layer: string) => void;
  /** Asks the same again. */
  readonly onAgain: (exchange: Exchange) => void;
}

/** Responses to one request: of one version, or of two side by side. */
export function Answers({ exchange, layer, onLayer, onAgain }: AnswersProps) {
  const diff = useDiff(exchange.answers);
  const names = namesOf(exchange.question);
  const pieces = [diff?.left, diff?.right];
  return (
    <>
      {diff && <Comparison diff={diff} />}
      <div className={css['answers']}>
        {exchange.answers.map((answer, place) => (
          <AnswerPanel
            // eslint-disable-next-line react/no-array-index-key -- an answer is known by its place
            key={`${exchange.id}-${place}`}
            model={names[place] ?? ''}
            prompt={exchange.question.prompt}
            answer={answer}
            pieces={pieces[place]}
            layer={layer}
            onLayer={onLayer}
            onAgain={() => onAgain(exchange)}
          />
        ))}
      </div>
    </>
  );
}

/** How two whole answers differ. Comparing is work, so it waits until both are there. */
function useDiff(answers: readonly Answer[]): TextDiff | null {
  const [left, right] = answers.map((answer) => (answer.status === 'done' ? answer.text : null));
  return useMemo(
    () => (typeof left === 'string' && typeof right === 'string' ? diffTexts(left, right) : null),
    [left, right],
  );
}

function Comparison({ diff }: { readonly diff: TextDiff }) {
  const text = usePlaygroundText();
  return <p className={css['comparison']}>{comparisonWords(text, diff)}</p>;
}

function comparisonWords({ t }: PlaygroundText, { differing, agreed }: TextDiff): string {
  if (differing === 0) return t('compare.same');
  if (agreed === 0) return t('compare.differsAtOnce', { count: differing });
  return t('compare.differs', { count: differing, agreed });
}
