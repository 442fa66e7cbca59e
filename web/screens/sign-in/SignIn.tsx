import { useSignInText } from '../../app/sign-in/sign-in-text.ts';
import { SignInForm } from '../../app/sign-in/SignInForm.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import css from './SignIn.module.css';

const COMMAND = 'npm run -s spikegrid -- \\\n  keys create --name me --scopes admin';

/** Asks for an API key. Whoever signs in goes on where he was: the address has not changed. */
export function SignIn() {
  const { t } = useSignInText();
  return (
    <Screen title={t('title')} lead={t('lead')}>
      <div className={css['panels']}>
        <Panel title={t('form.title')}>
          <SignInForm />
        </Panel>
        <Panel title={t('first.title')}>
          <p>{t('first.body')}</p>
          <code className={css['command']}>{COMMAND}</code>
        </Panel>
      </div>
    </Screen>
  );
}
