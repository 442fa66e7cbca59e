import { useId, type ReactNode } from 'react';
import css from './Panel.module.css';

interface PanelProps {
  readonly title: string;
  /** A line under the title. */
  readonly note?: ReactNode;
  /** Buttons and switches beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A framed part of a screen with a heading of its own. */
export function Panel({ title, note, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className={css['panel']} aria-labelledby={id}>
      <header className={css['head']}>
        <div className={css['words']}>
          <h2 id={id}>{title}</h2>
          {note && <p className={css['note']}>{note}</p>}
        </div>
        {actions && <div className={css['actions']}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
