import type { ReactNode } from 'react';
import css from './LinkButton.module.css';

interface LinkButtonProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button amid words, such as the name of a row that opens it. */
export function LinkButton({ onClick, children }: LinkButtonProps) {
  return (
    <button type="button" className={css['link']} onClick={onClick}>
      {children}
    </button>
  );
}
