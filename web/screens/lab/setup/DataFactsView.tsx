import type { DataFacts } from '../../../lab/protocol.ts';
import { useLabText } from '../lab-text.ts';
import css from './Setup.module.css';

/** How much data there is, what the family found in it, and how a text begins. */
export function DataFactsView({ facts }: { readonly facts: DataFacts }) {
  const { t, format } = useLabText();
  const { name, bytes, length, shape, preview } = facts;
  const isText = preview !== '';
  return (
    <>
      <p className={css['facts']}>
        <strong>{name}</strong>
        <span>{t(isText ? 'setup.characters' : 'setup.examples', { count: length })}</span>
        {isText ? (
          <span>{t('setup.distinct', { count: shape['vocabulary'] ?? 0 })}</span>
        ) : (
          Object.entries(shape).map(([member, value]) => (
            <span key={member}>{`${member} ${format.integer(value)}`}</span>
          ))
        )}
        <span>{format.bytes(bytes)}</span>
      </p>
      {isText && (
        <section
          className={css['preview']}
          aria-label={t('setup.preview', { name })}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
          tabIndex={0}
        >
          {preview}
        </section>
      )}
    </>
  );
}
