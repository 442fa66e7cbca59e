import type { ReactNode } from 'react';
import css from './Facts.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

export interface FactsProps {
  readonly facts: readonly Fact[];
}

/** Names and values, side by side where there is room. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={css['facts']}>
      {facts.map(({ label, value }) => (
        <div key={label} className={css['fact']}>
          <dt className={css['label']}>{label}</dt>
          <dd className={css['value']}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
