import type { DataFacts, TextFacts } from '../../../lab/protocol.ts';
import { useLabText } from '../lab-text.ts';
import { shapeWords } from './shape-words.ts';
import css from './Setup.module.css';

/** How much data there is, what the family found in it, and how a text begins. */
export function DataFactsView({ facts }: { readonly facts: DataFacts }) {
  const text = useLabText();
  const { t, format } = text;
  const { name, bytes, length, shape, preview, text: found } = facts;
  return (
    <>
      <p className={css['facts']}>
        <strong>{name}</strong>
        {found ? (
          <FoundInText facts={facts} text={found} />
        ) : (
          <>
            <span>{t('setup.examples', { count: length })}</span>
            {shapeWords(text, shape).map((words) => (
              <span key={words}>{words}</span>
            ))}
          </>
        )}
        <span>{format.bytes(bytes)}</span>
      </p>
      {found && (
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

interface FoundInTextProps {
  readonly facts: DataFacts;
  readonly text: TextFacts;
}

/** Its characters, its tokens where they are others, and its encoding where it is not the usual one. */
function FoundInText({ facts: { length, shape }, text }: FoundInTextProps) {
  const { t, format } = useLabText();
  const { characters, distinct, encodings, tokenizer } = text;
  const unusual = [...new Set(encodings)].filter((encoding) => encoding !== 'utf-8');
  const size = format.integer(shape['vocabulary'] ?? 0);
  return (
    <>
      <span>{t('setup.characters', { count: characters })}</span>
      <span>{t('setup.distinct', { count: distinct })}</span>
      {tokenizer === 'bpe' && (
        <span>{t('setup.tokens', { tokens: format.integer(length), size })}</span>
      )}
      {unusual.length > 0 && <span>{unusual.join(', ')}</span>}
    </>
  );
}
