import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Field } from '../../ui/Field.tsx';
import { useSigning } from '../session.ts';
import { useSignInText } from './sign-in-text.ts';
import { Note, Stack } from '../../ui/Layout.tsx';

/** Exchanges an API key for a session; whoever signs in stays where he is. */
export function SignInForm() {
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
    <Stack as="form" gap={3} onSubmit={submit} noValidate>
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
      <Note>{t('note')}</Note>
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
    </Stack>
  );
}
