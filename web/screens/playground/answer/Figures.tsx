import type { ReactNode } from 'react';
import type { Fact } from '../../../ui/Facts.tsx';
import css from '../Playground.module.css';

interface Figure extends Fact {
  /** How it is drawn in the picture above. */
  readonly mark?: ReactNode;
}

/** Many short facts in little room: as many beside each other as fit. */
export function Figures({ facts }: { readonly facts: readonly Figure[] }) {
  return (
    <dl className={css['figures']}>
      {facts.map(({ label, mark, value }) => (
        <div key={label} className={css['figure']}>
          <dt>
            {mark && <span aria-hidden="true">{mark}</span>}
            {label}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
