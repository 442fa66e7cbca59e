/**
 * Languages of the dashboard, for tests that do the same in each. What Japanese adds, its words and by
 * `expectAccessibleIn` the dark theme, `npm run test:full` looks at.
 */
export const LANGUAGES = [
  { language: 'en', details: {} },
  { language: 'ja', details: { tag: '@full' } },
] as const;
