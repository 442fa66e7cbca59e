import css from './JsonView.module.css';

interface JsonViewProps {
  /** The accessible name. */
  readonly label: string;
  readonly value: unknown;
}

/** A value as formatted JSON, in a box that scrolls. */
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
