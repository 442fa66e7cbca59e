import DefaultTheme from 'vitepress/theme-without-fonts';
import { wordsOf } from '../../words.mjs';
import './style.css';

const JAPANESE = '/guide/ja/';

export default {
  extends: DefaultTheme,
  enhanceApp({ router, siteData }) {
    // Not part of the configuration: VitePress would hand the function to the page as text, which the policy does not
    // let it evaluate.
    siteData.value.themeConfig.search.options.miniSearch = { options: { tokenize: wordsOf } };
    router.onBeforeRouteChange = (to) => {
      if (isThere(to)) return true;
      router.go(JAPANESE);
      return false;
    };
  },
};

/** Whether a page that the menu of languages leads to was translated. */
function isThere(to) {
  const [path] = to.split(/[?#]/);
  if (!path.startsWith(JAPANESE)) return true;
  const page = path
    .slice('/guide/'.length)
    .replace(/\.html$/, '')
    .replace(/\/$/, '/index');
  return `${page.replaceAll('/', '_')}.md` in window['__VP_HASH_MAP__'];
}
