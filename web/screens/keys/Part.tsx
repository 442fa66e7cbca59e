import { useId, type ReactNode } from 'react';
import css from './Keys.module.css';

export interface PartProps {
  readonly title: string;
  readonly note: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What a tab shows: the tab is the frame around it. */
export function Part({ title, note, actions, children }: PartProps) {
  const id = useId();
  return (
    <section className={css['part']} aria-labelledby={id}>
      <header className={css['head']}>
        <div>
          <h2 id={id}>{title}</h2>
          <p className={css['note']}>{note}</p>
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}
