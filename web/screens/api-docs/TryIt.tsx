import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { type Attempt, addressOf, attempt, SHOWN_CHARACTERS } from './attempt.ts';
import css from './ApiDocs.module.css';
import { useApiDocsText } from './api-docs-text.ts';
import { CodeBox } from './CodeBox.tsx';
import { listOf } from './curl.ts';
import type { Described } from './operations.ts';

/** Sends a GET as whoever uses this page, and shows what comes back. */
export function TryIt({ described }: { readonly described: Described }) {
  const { t } = useApiDocsText();
  const fields = described.parameters.filter(({ in: place }) => place !== 'header');
  const [values, setValues] = useState(() => firstValues(described));
  const address = addressOf(described, values);
  const trial = useMutation({ mutationFn: attempt });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!trial.isPending) trial.mutate(address);
  }

  return (
    <section className={css['part']}>
      <h3>{t('try')}</h3>
      <p className={css['note']}>{t('tryNote')}</p>
      <form className={css['try']} onSubmit={submit}>
        {fields.length > 0 && (
          <div className={css['fields']}>
            {fields.map(({ name, schema }) => (
              <TextField
                key={name}
                label={name}
                hint={schema?.type === 'array' ? t('tryLists') : undefined}
                value={values[name] ?? ''}
                onChange={(value) => setValues({ ...values, [name]: value })}
              />
            ))}
          </div>
        )}
        <div className={css['send']}>
          <Button
            tone="primary"
            type="submit"
            icon="play"
            state={trial.isPending ? 'blocked' : 'ready'}
          >
            {t(trial.isPending ? 'sending' : 'send')}
          </Button>
          <code className={css['address']}>{`GET ${address}`}</code>
        </div>
      </form>
      {trial.error && <ErrorState error={trial.error} />}
      {trial.data && <AttemptView attempt={trial.data} />}
    </section>
  );
}

/** Paths are filled with their examples; the rest of the query is optional and stays out. */
function firstValues({ parameters }: Described): Readonly<Record<string, string>> {
  const filled = parameters.filter(({ in: place, required }) => place === 'path' || required);
  return Object.fromEntries(
    filled.map(({ name, example = '' }) => [name, listOf(example).join(', ')]),
  );
}

function AttemptView({ attempt: tried }: { readonly attempt: Attempt }) {
  const { t, format } = useApiDocsText();
  const { status, tookMs, sizeBytes, type, body, isCut } = tried;
  return (
    <div className={css['answer']}>
      <output>
        {t('answered', {
          status: String(status),
          ms: Math.round(tookMs),
          size: format.bytes(sizeBytes),
        })}
      </output>
      {body === undefined ? (
        <p>{t('notText', { type })}</p>
      ) : (
        <CodeBox label={t('answer')} code={body} copy={t('ui.copy')} />
      )}
      {isCut && <p>{t('cut', { size: format.bytes(SHOWN_CHARACTERS) })}</p>}
    </div>
  );
}
