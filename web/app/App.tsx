import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Router } from 'wouter';
import { useWrittenLanguage } from '../i18n/load-words.ts';
import { createText } from '../i18n/text.ts';
import { TextContext } from '../i18n/text-context.ts';
import { aroundNavigation, useHrefs } from '../routing/location.ts';
import { usePreference } from '../stores/preferences.ts';
import { ServicesContext, type Services } from './services.ts';
import { Shell } from './Shell.tsx';

interface AppProps {
  readonly services: Services;
}

/** The whole page: what every component may ask for, and the shell. */
export function App({ services }: AppProps) {
  const asked = usePreference(services.preferences, (preferences) => preferences.language);
  const language = useWrittenLanguage(asked);
  const text = useMemo(() => createText(language), [language]);
  const hrefs = useHrefs();
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={services.queries}>
        <TextContext value={text}>
          <Router hrefs={hrefs} aroundNav={aroundNavigation}>
            <Shell />
          </Router>
        </TextContext>
      </QueryClientProvider>
    </ServicesContext>
  );
}
