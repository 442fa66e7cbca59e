import { Link, useLocation } from 'wouter';
import { useText } from '../../i18n/text-context.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Screen } from '../../ui/Screen.tsx';

/** Shown for a path without a screen. */
export function NotFound() {
  const { t } = useText();
  const [path] = useLocation();
  return (
    <Screen title={t('screen.notFound')} lead={t('notFound.lead', { path })}>
      <p>
        <Link href="/" className={buttonClass('primary')}>
          {t('notFound.back')}
        </Link>
      </p>
    </Screen>
  );
}
