import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ownFetch } from '../../api/own-fetch.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Grid, Note, Row, Stack } from '../../ui/Layout.tsx';
import { TextField } from '../../ui/TextField.tsx';
import css from './ApiDocs.module.css';
import { CodeBox } from './CodeBox.tsx';
import { listOf } from './curl.ts';
import type { Described } from './operations.ts';
import { useApiDocsText } from './words/en-api-docs.ts';

/** The response to a request that was tried. */
interface Attempt {
  readonly status: number;
  readonly tookMs: number;
  readonly sizeBytes: number;
  readonly type: string;
  /** Undefined where the body is not text. */
  readonly body: string | undefined;
  readonly isCut: boolean;
}

/** Characters of a body that are shown. */
const SHOWN_CHARACTERS = 50_000;

const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|yaml))/;

/** The address of an operation with its parameters filled in. A list's values are separated by commas. */
export function addressOf(
  { path, parameters }: Described,
  values: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    const value = values[name]?.trim() ?? '';
    if (place !== 'query' || value === '') continue;
    const all = schema?.type === 'array' ? value.split(',') : [value];
    for (const one of all) query.append(name, one.trim());
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name]?.trim() ?? ''),
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Sends a GET. An error status is a result; throws only as fetch does. */
async function attempt(address: string): Promise<Attempt> {
  const started = performance.now();
  const answer = await ownFetch(address, { headers: { accept: 'application/json, */*;q=0.5' } });
  const type = answer.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const tookMs = performance.now() - started;
  const body = TEXT.test(type) ? prettyOf(new TextDecoder().decode(bytes), type) : undefined;
  return {
    status: answer.status,
    tookMs,
    sizeBytes: bytes.byteLength,
    type,
    body: body?.slice(0, SHOWN_CHARACTERS),
    isCut: (body?.length ?? 0) > SHOWN_CHARACTERS,
  };
}

function prettyOf(text: string, type: string): string {
  if (!type.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Sends a GET with the session of the page and shows the response. */
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
    <Stack as="section" gap={3}>
      <h3>{t('try')}</h3>
      <Note>{t('tryNote')}</Note>
      <Stack as="form" gap={3} onSubmit={submit}>
        {fields.length > 0 && (
          <Grid min="12rem" columns="fill">
            {fields.map(({ name, schema }) => (
              <TextField
                key={name}
                label={name}
                hint={schema?.type === 'array' ? t('tryLists') : undefined}
                value={values[name] ?? ''}
                onChange={(value) => setValues({ ...values, [name]: value })}
              />
            ))}
          </Grid>
        )}
        <Row gap={3}>
          <Button
            tone="primary"
            type="submit"
            icon="play"
            state={trial.isPending ? 'blocked' : 'ready'}
          >
            {t(trial.isPending ? 'sending' : 'send')}
          </Button>
          <code className={css['address']}>{`GET ${address}`}</code>
        </Row>
      </Stack>
      {trial.error && <ErrorState error={trial.error} />}
      {trial.data && <AttemptView attempt={trial.data} />}
    </Stack>
  );
}

/** The examples of path and required parameters; optional ones stay empty. */
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
