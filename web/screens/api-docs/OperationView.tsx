import { useEffect, useRef } from 'react';
import type { OpenApi, Parameter } from '../../api/openapi-client.ts';
import { column } from '../../table/columns.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { useApiDocsText } from './api-docs-text.ts';
import css from './ApiDocs.module.css';
import { CodeBox, CopyButton, written } from './CodeBox.tsx';
import { ContentView } from './ContentView.tsx';
import { curlOf } from './curl.ts';
import { MethodBadge } from './OperationList.tsx';
import { accessOf, type Described } from './operations.ts';
import { Marked } from './Prose.tsx';
import { Responses } from './Responses.tsx';
import type { SchemaContext } from './schema-members.ts';
import { typeText } from './schema-text.ts';
import { TryIt } from './TryIt.tsx';

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
