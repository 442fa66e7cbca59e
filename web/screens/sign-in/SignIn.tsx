import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useSigning } from '../../app/session.ts';
import { createScreenText } from '../../i18n/screen-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Field } from '../../ui/Field.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Screen } from '../../ui/Screen.tsx';
import css from './SignIn.module.css';
import { enSignIn } from './words/en-sign-in.ts';
import { jaSignIn } from './words/ja-sign-in.ts';

const useSignInText = createScreenText<typeof enSignIn>({ en: enSignIn, ja: jaSignIn });

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

function SignInForm() {
  const { t } = useSignInText();
  const [key, setKey] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { signIn } = useSigning();
  // The key stays in this form, and nowhere once it is gone.
  const signing = useMutation({ mutationFn: signIn, gcTime: 0 });
  const written = key.trim();

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (written !== '' && !signing.isPending) signing.mutate(written);
  }

  return (
    <form className={css['form']} onSubmit={submit} noValidate>
      <Field
        label={t('key')}
        hint={t('keyHint')}
        error={isChecked && written === '' ? t('noKey') : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="off"
            spellCheck={false}
            maxLength={256}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      {signing.error && <ErrorState error={signing.error} />}
      <p className={css['note']}>{t('note')}</p>
      <div>
        <Button
          tone="primary"
          type="submit"
          icon="key"
          state={signing.isPending ? 'blocked' : 'ready'}
        >
          {t(signing.isPending ? 'sending' : 'submit')}
        </Button>
      </div>
    </form>
  );
}
