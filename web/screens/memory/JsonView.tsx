import css from './Memory.module.css';

export interface JsonViewProps {
  /** What it is of; read aloud. */
  readonly label: string;
  readonly value: unknown;
}

/** What is shown, as the platform answered it. */
export function JsonView({ label, value }: JsonViewProps) {
  return (
    <section
      className={css['json']}
      aria-label={label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}

/** A file of the same. */
export const jsonFile = (value: unknown): Blob =>
  new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });
