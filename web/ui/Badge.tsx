import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './Badge.module.css';

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'bad';

interface BadgeProps {
  readonly tone: BadgeTone;
  readonly children: ReactNode;
  /** A sentence may take several lines; a word stays whole. */
  readonly wraps?: true;
}

/** A state in a word. Each tone has a mark of its own shape, so that colour is never alone. */
export function Badge({ tone, children, wraps }: BadgeProps) {
  return (
    <span className={classNames(css['badge'], css[tone], wraps && css['wraps'])}>
      <svg className={css['mark']} viewBox="0 0 10 10" aria-hidden="true">
        <path d={MARKS[tone]} />
      </svg>
      {children}
    </span>
  );
}

/** A ring, a disc, a triangle and a square. */
const MARKS: Readonly<Record<BadgeTone, string>> = {
  neutral: 'M5 1A4 4 0 1 0 5 9 4 4 0 1 0 5 1ZM5 3A2 2 0 1 1 5 7 2 2 0 1 1 5 3Z',
  good: 'M5 1A4 4 0 1 0 5 9 4 4 0 1 0 5 1Z',
  warn: 'M5 1 9.5 9H.5Z',
  bad: 'M1.5 1.5H8.5V8.5H1.5Z',
};
