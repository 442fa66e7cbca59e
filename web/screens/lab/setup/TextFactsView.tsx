import type { TextFacts } from '../../../lab/protocol.ts';
import { useLabText } from '../lab-text.ts';
import css from './Setup.module.css';

/** How long a text is, how many characters it uses, and how it begins. */
export function TextFactsView({ facts }: { readonly facts: TextFacts }) {
  const { t, format } = useLabText();
  const { name, bytes, characters, distinct, tokens, vocabulary, encoding, preview } = facts;
  return (
    <>
      <p className={css['facts']}>
        <strong>{name}</strong>
        <span>{t('setup.characters', { count: characters })}</span>
        <span>{t('setup.distinct', { count: distinct })}</span>
        {facts.tokenizer === 'bpe' && (
          <span>
            {t('setup.tokens', {
              tokens: format.integer(tokens),
              size: format.integer(vocabulary),
            })}
          </span>
        )}
        <span>{format.bytes(bytes)}</span>
        {encoding !== 'utf-8' && <span>{t(`encoding.${encoding}`)}</span>}
      </p>
      <section
        className={css['preview']}
        aria-label={t('setup.preview', { name })}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
        tabIndex={0}
      >
        {preview}
      </section>
    </>
  );
}
