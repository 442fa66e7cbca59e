import css from './ApiDocs.module.css';

/** Text of the description: paragraphs, and words in backticks as code. Always English. */
export function Prose({ text }: { readonly text: string }) {
  const paragraphs = text.split(/\n\s*\n/);
  return (
    <div className={css['prose']} lang="en">
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <Marked text={paragraph} />
        </p>
      ))}
    </div>
  );
}

/** A line of it, for inside of a paragraph or a cell. */
export function Marked({ text }: { readonly text: string }) {
  // Every other part stood between backticks; the same part may come twice, so its place is its key.
  return text.split('`').map((part, place) =>
    // eslint-disable-next-line react/no-array-index-key -- the parts of a text never change places
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  );
}
