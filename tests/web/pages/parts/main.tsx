import { createRoot } from 'react-dom/client';
import { isLanguage } from '../../../../web/i18n/language.ts';
import { createText } from '../../../../web/i18n/text.ts';
import { TextContext } from '../../../../web/i18n/text-context.ts';
import { createStage, type Stage } from './stage.ts';
import { WidgetsPage } from './WidgetsPage.tsx';
import '../../../../web/styles/tokens.css';
import '../../../../web/styles/base.css';
import './page.css';

declare global {
  var stage: Stage;
}

/** Parts of the dashboard without a dashboard. `?lang=`, `?theme=` and `?state=` set it up. */
const query = new URLSearchParams(location.search);
const language = query.get('lang');
const text = createText(isLanguage(language) ? language : 'en', 'UTC');
const state = query.get('state') === 'running' ? 'running' : 'stopped';
document.documentElement.lang = text.language;
document.documentElement.dataset['theme'] = query.get('theme') ?? 'light';

const stage = createStage();
globalThis.stage = stage;

createRoot(document.querySelector('#root')!).render(
  <TextContext value={text}>
    <WidgetsPage stage={stage} state={state} />
  </TextContext>,
);
