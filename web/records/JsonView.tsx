import { Well } from '../ui/Layout.tsx';

interface JsonViewProps {
  /** The accessible name. */
  readonly label: string;
  readonly value: unknown;
}

/** A value as formatted JSON, in a box that scrolls. */
export function JsonView({ label, value }: JsonViewProps) {
  return (
    <Well
      as="section"
      style={{ maxHeight: '32rem', fontSize: 'var(--text-small)' }}
      aria-label={label}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
      tabIndex={0}
    >
      <pre style={{ margin: 0, font: 'inherit', fontFamily: 'var(--font-mono)' }}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </Well>
  );
}
