import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './Toggle.module.css';

interface ToggleProps {
  readonly state: 'on' | 'off';
  readonly onToggle: (state: 'on' | 'off') => void;
  readonly children: ReactNode;
}

/** A button that stays down. */
export function Toggle({ state, onToggle, children }: ToggleProps) {
  return (
    <button
      type="button"
      className={classNames(css['toggle'], css[state])}
      aria-pressed={state === 'on'}
      onClick={() => onToggle(state === 'on' ? 'off' : 'on')}
    >
      <span className={css['lamp']} aria-hidden="true" />
      {children}
    </button>
  );
}
