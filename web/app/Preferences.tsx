import { LANGUAGE_NAMES, LANGUAGES } from '../i18n/language.ts';
import { useText } from '../i18n/text-context.ts';
import { THEMES, usePreference } from '../stores/preferences.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { useServices } from './services.ts';
import { Row } from '../ui/Layout.tsx';

const LANGUAGE_OPTIONS = LANGUAGES.map((language) => ({
  value: language,
  label: LANGUAGE_NAMES[language],
  language,
}));

interface PreferencesProps {
  /** Compact shows the themes as pictures; full has room for every word. */
  readonly size?: 'compact' | 'full';
}

/** The switches for language and theme. */
export function Preferences({ size = 'compact' }: PreferencesProps) {
  const { t } = useText();
  const { preferences } = useServices();
  const { language, theme } = usePreference(preferences, (state) => state);
  return (
    <Row gap={[2, 3]} align="stretch">
      <Segmented
        legend={t('shell.language')}
        options={LANGUAGE_OPTIONS}
        value={language}
        onChange={preferences.chooseLanguage}
      />
      <Segmented
        legend={t('shell.theme')}
        options={THEMES.map((value) => ({
          value,
          label: t(`theme.${value}`),
          icon: value,
          face: size === 'compact' ? ('icon' as const) : ('both' as const),
        }))}
        value={theme}
        onChange={preferences.chooseTheme}
      />
    </Row>
  );
}
