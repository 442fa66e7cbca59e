import { Stack } from '../../ui/Layout.tsx';

/** Text of the description: paragraphs, and words in backticks as code. Always English. */
export function Prose({ text }: { readonly text: string }) {
  const paragraphs = text.split(/\n\s*\n/);
  return (
    <Stack gap={3} style={{ maxWidth: '46rem' }} lang="en">
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <Marked text={paragraph} />
        </p>
      ))}
    </Stack>
  );
}

/** Inline text with words in backticks as code. */
export function Marked({ text }: { readonly text: string }) {
  // Odd parts stood between backticks; parts may repeat, so the index is the key.
  return text.split('`').map((part, place) =>
    // eslint-disable-next-line react/no-array-index-key -- the parts of a text never change places
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  );
}
