import { Link } from 'wouter';
import { useText } from '../../i18n/text-context.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Screen } from '../../ui/Screen.tsx';

/** The place of the training lab until it is built; it says so. */
export function Lab() {
  const { t } = useText();
  return (
    <Screen title={t('screen.lab')} lead={t('lab.lead')}>
      <p>
        <Link href="/" className={buttonClass('secondary')}>
          {t('lab.back')}
        </Link>
      </p>
    </Screen>
  );
}
