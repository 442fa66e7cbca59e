const CODE = /(`[^`]*`)/;

/**
 * A comment as Markdown. Equations and tables, which comments indent by two spaces, become blocks of code.
 *
 * @param {import('typedoc').Comment | undefined} comment
 * @param {(name: string) => string | undefined} link
 */
export function textOf(comment, link) {
  if (!comment) return '';
  const summary = partsOf(comment.summary, link);
  const tags = comment.blockTags.map(({ tag, content }) => {
    const text = partsOf(content, link);
    if (tag === '@throws') return `Throws ${text}`;
    if (tag === '@returns') return `Returns ${text}`;
    return text;
  });
  return [summary, ...tags].filter((text) => text !== '').join('\n\n');
}

function partsOf(parts, link) {
  const text = parts
    .map(({ kind, text: words }) =>
      kind === 'inline-tag' ? (link(words.trim()) ?? `\`${words}\``) : words,
    )
    .join('');
  return text
    .split(/\n{2,}/)
    .map((paragraph) => (isIndented(paragraph) ? block(paragraph) : escaped(paragraph)))
    .join('\n\n')
    .trim();
}

const isIndented = (paragraph) =>
  paragraph.split('\n').every((line) => line.startsWith('  ')) && !paragraph.includes('```');

const block = (paragraph) =>
  `\`\`\`text\n${paragraph
    .split('\n')
    .map((line) => line.slice(2))
    .join('\n')}\n\`\`\``;

/** Markdown and Vue would read `<` and `{{` of prose as markup. */
const escaped = (paragraph) =>
  paragraph
    .split(CODE)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;').replaceAll('*', '\\*'),
    )
    .join('');
