import DefaultTheme from 'vitepress/theme-without-fonts';
import { wordsOf } from '../../words.mjs';
import './style.css';

// The words of the search cannot stand in the configuration: VitePress would hand the function to the page as text,
// which the page's policy does not let it evaluate.
export default {
  extends: DefaultTheme,
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = { options: { tokenize: wordsOf } };
  },
};
