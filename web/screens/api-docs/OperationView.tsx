import { useEffect, useRef } from 'react';
import type { OpenApi, Parameter } from '../../api/openapi-client.ts';
import { column } from '../../records/columns.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import css from './ApiDocs.module.css';
import { CodeBox, CopyButton, written } from './CodeBox.tsx';
import { ContentView } from './ContentView.tsx';
import { curlOf } from './curl.ts';
import { MethodBadge } from './OperationList.tsx';
import { accessOf, type Described, type DescribedResponse } from './operations.ts';
import { Marked } from './Prose.tsx';
import type { SchemaContext } from './schema-members.ts';
import { typeText } from './schema-text.ts';
import { TryIt } from './TryIt.tsx';
import { useApiDocsText } from './words/en-api-docs.ts';

interface OperationViewProps {
  readonly document: OpenApi;
  readonly described: Described;
  /** Whether it was chosen on this page and takes the focus. */
  readonly arrival: 'chosen' | 'linked';
}

/** Everything about one operation. */
export function OperationView({ document, described, arrival }: OperationViewProps) {
  const { t } = useApiDocsText();
  const { operation, parameters, responses, method } = described;
  const curl = curlOf(described, location.origin);
  return (
    <article className={css['operation']}>
      <Head described={described} arrival={arrival} />
      {parameters.length > 0 && <Parameters document={document} parameters={parameters} />}
      {operation.requestBody && (
        <Stack as="section" gap={3}>
          <h3>{t('body')}</h3>
          <ContentView document={document} content={operation.requestBody.content} />
        </Stack>
      )}
      <Stack as="section" gap={3}>
        <h3>{t('curl')}</h3>
        <CodeBox label={t('curl')} code={curl} copy={t('copyCurl')} />
      </Stack>
      {method === 'GET' && <TryIt described={described} />}
      <Responses document={document} responses={responses} />
    </article>
  );
}

function Head({ described, arrival }: Omit<OperationViewProps, 'document'>) {
  const { t } = useApiDocsText();
  const { id, method, path, operation } = described;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (arrival === 'chosen') heading.current?.focus({ preventScroll: true });
  }, [arrival]);
  const access = accessOf(operation);
  return (
    <Stack as="header" gap={3}>
      <div className={css['title']}>
        <h2 ref={heading} tabIndex={-1} className={css['path']}>
          <MethodBadge method={method} />
          <code>{path}</code>
        </h2>
        <CopyButton label={t('copyLink')} text={`${location.origin}/docs?op=${id}`} />
      </div>
      <p lang="en">
        <Marked text={operation.summary} />
      </p>
      <p className={css['access']}>
        <span>{t('access.label')}</span>
        <strong>
          {access === 'public' || access === 'authenticated'
            ? t(`access.${access}`)
            : t('access.scope', { scope: access })}
        </strong>
        {operation.deprecated && <Badge tone="warn">{t('deprecated')}</Badge>}
      </p>
      {operation.deprecated && operation.description && (
        <p lang="en">
          <Marked text={operation.description} />
        </p>
      )}
    </Stack>
  );
}

interface ParametersProps {
  readonly document: OpenApi;
  readonly parameters: readonly Parameter[];
}

function Parameters({ document, parameters }: ParametersProps) {
  const text = useApiDocsText();
  return (
    <Stack as="section" gap={3}>
      <h3>{text.t('parameters')}</h3>
      <Table
        caption={text.t('parameters')}
        columns={columnsOf({ document, text })}
        rows={parameters}
        rowKey={(parameter) => `${parameter.in} ${parameter.name}`}
      />
    </Stack>
  );
}

function columnsOf(reading: SchemaContext): readonly Column<Parameter>[] {
  const { t } = reading.text;
  return [
    column(t('parameter.name'), ({ name, required }) => (
      <span className={css['memberLine']}>
        <code>{name}</code>
        {required && <span className={css['required']}>{t('required')}</span>}
      </span>
    )),
    column(t('parameter.in'), (parameter) => t(`in.${parameter.in}`)),
    column(t('parameter.type'), ({ schema = {} }) => (
      <div className={css['type']}>{typeText(reading, schema)}</div>
    )),
    column(t('parameter.meaning'), ({ description = '–' }) => (
      <span lang="en">
        <Marked text={description} />
      </span>
    )),
    column(
      t('parameter.example'),
      ({ example }) =>
        example !== undefined && <code>{[example].flat().map(written).join(', ')}</code>,
    ),
  ];
}

const PROBLEM = 'application/problem+json';

interface ResponsesProps {
  readonly document: OpenApi;
  readonly responses: readonly DescribedResponse[];
}

/** The responses of an operation, then its problem codes. */
function Responses({ document, responses }: ResponsesProps) {
  const { t } = useApiDocsText();
  const refusals = responses.filter(({ codes }) => codes.length > 0);
  return (
    <>
      <Stack as="section" gap={3}>
        <h3>{t('responses')}</h3>
        {responses.map((one) => (
          <Answer key={one.status} document={document} answer={one} />
        ))}
      </Stack>
      {refusals.length > 0 && (
        <Stack as="section" gap={3}>
          <h3>{t('problems')}</h3>
          <Stack as="ul" gap={0}>
            {refusals.map(({ status, codes }) => (
              <li key={status} className={css['problem']}>
                <Status status={status} />
                {codes.map((code) => (
                  <a key={code} href={`/problems/${code}`}>
                    <code>{code}</code>
                  </a>
                ))}
              </li>
            ))}
          </Stack>
        </Stack>
      )}
    </>
  );
}

interface AnswerProps {
  readonly document: OpenApi;
  readonly answer: DescribedResponse;
}

/** Renders nothing for a status that only has problem codes. */
function Answer({ document, answer: { status, response, codes } }: AnswerProps) {
  const { t } = useApiDocsText();
  const { [PROBLEM]: _problem, ...content } = response.content ?? {};
  const isEmpty = Object.keys(content).length === 0;
  if (isEmpty && codes.length > 0) return null;
  return (
    <div className={css['answer']}>
      <Row as="p">
        <Status status={status} />
        <span lang="en">
          <Marked text={response.description} />
        </span>
      </Row>
      {isEmpty ? <p>{t('noBody')}</p> : <ContentView document={document} content={content} />}
    </div>
  );
}

const TONES: Readonly<Record<string, BadgeTone>> = { 2: 'good', 3: 'neutral', 4: 'warn', 5: 'bad' };

function Status({ status }: { readonly status: string }) {
  return <Badge tone={TONES[status.charAt(0)] ?? 'neutral'}>{status}</Badge>;
}
