import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createServices } from './app/services.ts';
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

createRoot(container).render(
  <StrictMode>
    <App services={services} />
  </StrictMode>,
);
