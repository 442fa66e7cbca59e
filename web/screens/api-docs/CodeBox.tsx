import { useCopy } from '../../app/use-copy.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import css from './ApiDocs.module.css';

interface CodeBoxProps {
  /** What it is, in words. */
  readonly label: string;
  readonly code: string;
  /** What the button that copies it is called; none is there where it is left out. */
  readonly copy?: string;
}

/** Code or JSON as it is, in a box that scrolls. */
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

interface CopyButtonProps {
  readonly label: string;
  readonly text: string;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const copy = useCopy();
  return <IconButton icon="copy" label={label} onClick={() => void copy(text)} />;
}

/** A value as JSON on several lines; text stays as it is. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
