import type { FoundCause } from '../../../edge/memory/contract/memory.ts';
import css from './Memory.module.css';
import { useMemoryText } from './words/en-memory.ts';

/** The same as a file. */
export const jsonFile = (value: unknown): Blob =>
  new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });

interface MarkedProps {
  readonly text: string;
  /** The substring to highlight; ignored where it does not occur. */
  readonly part: string;
}

/** A text with a highlighted substring. */
export function Marked({ text, part }: MarkedProps) {
  const at = part === '' ? -1 : text.indexOf(part);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{part}</mark>
      {text.slice(at + part.length)}
    </>
  );
}

/** The causal edges read from one memory, as sentences. */
export function FoundCauses({ causes }: { readonly causes: readonly FoundCause[] }) {
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
