import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig } from 'vitepress';
import { entries } from '../entries.mjs';
import { wordsOf } from '../words.mjs';
import { english, japanese } from './pages.mjs';

const base = '/guide/';
const codeStyles = transformerStyleToClass({ classPrefix: 'code-' });
const JAPANESE = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/;
const isBuild = process.argv.includes('build') || process.env.NODE_ENV === 'production';

/** @type {{ provider: 'local', options: Record<string, unknown> }} */
const search = {
  provider: 'local',
  options: {
    locales: {
      ja: {
        translations: {
          button: { buttonText: '検索', buttonAriaLabel: '検索' },
          modal: {
            displayDetails: '詳細を表示',
            resetButtonTitle: '検索語を消去',
            backButtonTitle: '閉じる',
            noResultsText: '見つかりませんでした:',
            footer: {
              selectText: '開く',
              navigateText: '移動',
              closeText: '閉じる',
            },
          },
        },
      },
    },
  },
};
// Hidden from what VitePress hands to the page: the theme sets it there.
Object.defineProperty(search.options, 'miniSearch', {
  value: { options: { tokenize: wordsOf } },
  enumerable: false,
});

/** The guide: pages of docs/, the reference that reference.mjs writes, English and Japanese. */
export default defineConfig({
  title: 'spikegrid',
  description: 'Spiking neural networks in TypeScript: a library and a platform',
  base,
  srcDir: '..',
  // Pages for those who change spikegrid itself link to its source.
  srcExclude: ['site/**', 'decisions/**', 'first-change.md', 'training-step.md'],
  outDir: '../../dist/guide',
  cacheDir: 'node_modules/.cache/vitepress',
  metaChunk: true,
  // It would put a style element into the page, which the policy does not apply.
  appearance: { disableTransition: false },
  markdown: {
    // The page's policy allows no style attributes: colours of code are classes of one file.
    codeTransformers: isBuild ? [codeStyles] : [],
    languageAlias: { neuron: 'ini' },
    config: (md) => {
      md.core.ruler.push('aligned-cells', ({ tokens }) => tokens.forEach(alignByClass));
      md.renderer.rules.softbreak = lineEnd;
    },
  },
  head: isBuild ? [['link', { rel: 'stylesheet', href: `${base}code.css` }]] : [],
  buildEnd: ({ outDir }) => writeFile(join(outDir, 'code.css'), codeStyles.getCSS()),
  vite: { plugins: [packagesOfSite()], build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: { search, outline: { level: [2, 3] } },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: english(entries) },
    ja: { label: '日本語', lang: 'ja', themeConfig: japanese(entries) },
  },
});

/**
 * Pages lie above the packages that they become modules of: Vue is looked up from here.
 *
 * @returns {import('vite').Plugin}
 */
function packagesOfSite() {
  const here = fileURLToPath(import.meta.url);
  return {
    name: 'packages-of-site',
    enforce: 'pre',
    resolveId(source, importer, { ssr: isOnServer }) {
      if (!/^vue(?:$|\/)/.test(source)) return undefined;
      if (isOnServer) return { id: source, external: true };
      if (!importer?.endsWith('.md')) return undefined;
      return this.resolve(source, here, { skipSelf: true });
    },
  };
}

/**
 * The end of a line in a paragraph: a space, but nothing within Japanese, which has none between words.
 *
 * @param {import('markdown-it').Token[]} tokens
 * @param {number} index
 */
function lineEnd(tokens, index) {
  const before = tokens[index - 1]?.content ?? '';
  const after = tokens[index + 1]?.content ?? '';
  return JAPANESE.test(before.slice(-1)) && JAPANESE.test(after.slice(0, 1)) ? '' : '\n';
}

/**
 * markdown-it says the alignment of a cell in a style.
 *
 * @param {import('markdown-it').Token} token
 */
function alignByClass(token) {
  const side = /text-align:(\w+)/.exec(token.attrGet('style') ?? '')?.[1];
  if (!side) return;
  token.attrs = token.attrs.filter(([name]) => name !== 'style');
  token.attrJoin('class', `align-${side}`);
}
