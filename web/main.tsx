import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createServices } from './app/services.ts';
import { loadWords } from './i18n/load-words.ts';
import { applyToDocument } from './stores/document-preferences.ts';
import './styles/tokens.css';
import './styles/base.css';

const container = document.querySelector('#root');
if (!container) throw new Error('index.html has no element with the id "root"');

const services = createServices();
applyToDocument(
  services.preferences,
  document.documentElement,
  window.matchMedia('(prefers-color-scheme: dark)'),
);

// Nobody is shown one language first and another then; without its words the page is in English.
await loadWords(services.preferences.store.getState().language).catch(() => undefined);

createRoot(container).render(
  <StrictMode>
    <App services={services} />
  </StrictMode>,
);
