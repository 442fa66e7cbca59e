import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import css from './Tabs.module.css';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly content: ReactNode;
}

export interface TabsProps<T extends string> {
  /** What the tabs divide; read aloud. */
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Parts of one thing, one in sight at a time. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  const choose = (chosen: string) => {
    const tab = tabs.find((candidate) => candidate.value === chosen);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose}>
      <Radix.List className={css['list']} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} className={css['tab']} value={tab.value}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} className={css['content']} value={tab.value}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
