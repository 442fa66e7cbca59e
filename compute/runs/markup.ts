const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text in HTML and SVG, in attributes too; without the control characters that XML has none of. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '').replaceAll(/[^\P{Cc}\n\t]/gu, '');

const cells = (tag: string, texts: readonly string[]): string =>
  texts.map((text) => `<${tag}>${escapeMarkup(text)}</${tag}>`).join('');

/** A table of texts, the first column as headings. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${escapeMarkup(first)}</th>${cells('td', rest)}</tr>`,
  );
  const title = head.length > 0 ? `<thead><tr>${cells('th', head)}</tr></thead>` : '';
  return `<table>${title}<tbody>${body.join('')}</tbody></table>`;
}

const STYLE =
  'body{max-width:64rem;margin:2rem auto;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;color:#14201d;background:#fcfdfb}' +
  'table{border-collapse:collapse;margin:.5rem 0}th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #d3dad4;overflow-wrap:anywhere}' +
  'td{font-variant-numeric:tabular-nums}pre{white-space:pre-wrap;overflow-wrap:anywhere}svg{max-width:100%;height:auto}figure{margin:0}' +
  '.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(26rem,1fr));gap:1rem}';

/** A page that needs nothing else: no scripts, no requests, which it forbids itself. */
export const pageOf = (title: string, sections: readonly string[]): string =>
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
  `<meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title>` +
  `<style>${STYLE}</style></head><body><h1>${escapeMarkup(title)}</h1>\n` +
  `${sections.join('\n')}\n</body></html>\n`;

/** A part of a page; empty where there is nothing in it. */
export const sectionOf = (title: string, body: string | undefined): string =>
  body === undefined || body === ''
    ? ''
    : `<section><h2>${escapeMarkup(title)}</h2>${body}</section>`;

/** A picture with its name. */
export const figureOf = (name: string, svg: string): string =>
  `<figure><figcaption>${escapeMarkup(name)}</figcaption>${svg}</figure>`;

/** Pictures beside each other, as many as fit. */
export const gridOf = (figures: readonly string[]): string =>
  figures.length > 0 ? `<div class="charts">${figures.join('')}</div>` : '';
