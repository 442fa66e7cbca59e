import type { ReactNode } from 'react';
import css from './Answers.module.css';

/** The buttons under a dialog or a form, the one that does it last. */
export function Answers({ children }: { readonly children: ReactNode }) {
  return <div className={css['answers']}>{children}</div>;
}
