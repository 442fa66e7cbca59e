export interface MarkedProps {
  readonly text: string;
  /** A stretch of it, word for word; nothing is marked where it is not there. */
  readonly part: string;
}

/** A text with a stretch of it marked. */
export function Marked({ text, part }: MarkedProps) {
  const at = part === '' ? -1 : text.indexOf(part);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{part}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
