import type { FoundCause } from '../../../edge/memory/contract/memory.ts';
import css from './Memory.module.css';
import { useMemoryText } from './memory-text.ts';

export interface FoundCausesProps {
  readonly causes: readonly FoundCause[];
}

/** The causes that the text of one memory names, in words. */
export function FoundCauses({ causes }: FoundCausesProps) {
  const { t } = useMemoryText();
  return (
    <ul className={css['ways']}>
      {causes.map(({ cause, effect, relation }) => (
        <li key={`${cause}\n${relation}\n${effect}`} lang="">
          {t(`link.${relation}`, { cause, effect })}
        </li>
      ))}
    </ul>
  );
}
