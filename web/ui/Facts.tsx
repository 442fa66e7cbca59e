import type { ReactNode } from 'react';
import { Stack } from './Layout.tsx';
import css from './Facts.module.css';

export interface Fact {
  readonly label: string;
  /** A fact whose value is null is left out. */
  readonly value: ReactNode;
}

interface FactsProps {
  readonly facts: readonly Fact[];
}

/** Labels and values, side by side where there is room. */
export function Facts({ facts }: FactsProps) {
  const known = facts.filter(({ value }) => value !== null);
  return (
    <Stack as="dl" gap={0}>
      {known.map(({ label, value }) => (
        <div key={label} className={css['fact']}>
          <dt className={css['label']}>{label}</dt>
          <dd className={css['value']}>{value}</dd>
        </div>
      ))}
    </Stack>
  );
}
