import { useId, type ReactNode } from 'react';
import { Row } from './Layout.tsx';
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
      <Row as="header" gap={[2, 4]} align="flex-start" justify="space-between">
        <div className={css['words']}>
          <h2 id={id}>{title}</h2>
          {note && <p className={css['note']}>{note}</p>}
        </div>
        {actions && <Row>{actions}</Row>}
      </Row>
      {children}
    </section>
  );
}
