import { useCopy } from '../../app/use-copy.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import css from './ApiDocs.module.css';

interface CodeBoxProps {
  /** The accessible name. */
  readonly label: string;
  readonly code: string;
  /** Label of the copy button; without it there is none. */
  readonly copy?: string;
}

/** Code or JSON in a scrolling box. */
export function CodeBox({ label, code, copy }: CodeBoxProps) {
  return (
    <div className={css['code']}>
      <section
        className={css['codeScroll']}
        aria-label={label}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
        tabIndex={0}
      >
        <pre>{code}</pre>
      </section>
      {copy && <CopyButton label={copy} text={code} />}
    </div>
  );
}

export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const copy = useCopy();
  return <IconButton icon="copy" label={label} onClick={() => void copy(text)} />;
}

/** A value as JSON on several lines; text stays as it is. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
