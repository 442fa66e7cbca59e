import { useSignInText } from '../../app/sign-in/sign-in-text.ts';
import { SignInForm } from '../../app/sign-in/SignInForm.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Grid, Well } from '../../ui/Layout.tsx';

const COMMAND = 'npm run -s spikegrid -- \\\n  keys create --name me --scopes admin';

/** Asks for an API key. Whoever signs in goes on where he was: the address has not changed. */
export function SignIn() {
  const { t } = useSignInText();
  return (
    <Screen title={t('title')} lead={t('lead')}>
      <Grid min="22rem" gap={5} align="start" style={{ maxWidth: '60rem' }}>
        <Panel title={t('form.title')}>
          <SignInForm />
        </Panel>
        <Panel title={t('first.title')}>
          <p>{t('first.body')}</p>
          <Well as="code">{COMMAND}</Well>
        </Panel>
      </Grid>
    </Screen>
  );
}
