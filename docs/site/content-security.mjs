import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INLINE = /<script((?![^>]*\ssrc=)[^>]*)>([^]*?)<\/script>/g;
/** Styles of VitePress's own elements, which its scripts set again or style.css has. */
const KNOWN_STYLES = / style="(?:--vp-vh:0px;|position:relative;)?"/g;
const STYLE_ATTRIBUTE = /<[a-z][^>]*\sstyle="[^"]*"/;

/**
 * Moves the scripts that VitePress writes into pages to files beside them: the platform lets a page run no script of
 * its own text, and take no style from attributes. Throws where a page has such a style.
 *
 * @param {string} folder
 */
export function moveScriptsToFiles(folder) {
  for (const page of globSync('**/*.html', { cwd: folder })) {
    const path = join(folder, page);
    const written = readFileSync(path, 'utf8').replaceAll(KNOWN_STYLES, '');
    const html = written.replaceAll(INLINE, (_, attributes, source) => {
      const digest = createHash('sha256').update(source).digest('hex');
      const name = `page-${digest.slice(0, 8)}.js`;
      writeFileSync(join(folder, 'assets', name), source);
      return `<script${attributes} src="/guide/assets/${name}"></script>`;
    });
    const styled = STYLE_ATTRIBUTE.exec(html)?.[0];
    if (styled) throw new Error(`${page} has a style attribute, which is not applied: ${styled}`);
    writeFileSync(path, html);
  }
}
