import { useEffect, useRef } from 'react';
import type { OpenApi } from '../../api/openapi-client.ts';
import { Badge } from '../../ui/Badge.tsx';
import css from './ApiDocs.module.css';
import { useApiDocsText } from './api-docs-text.ts';
import { CodeBox, CopyButton } from './CodeBox.tsx';
import { ContentView } from './ContentView.tsx';
import { curlOf } from './curl.ts';
import { MethodBadge } from './MethodBadge.tsx';
import { accessOf, type Described } from './operations.ts';
import { Parameters } from './Parameters.tsx';
import { Marked } from './Prose.tsx';
import { Responses } from './Responses.tsx';
import { TryIt } from './TryIt.tsx';

export interface OperationViewProps {
  readonly document: OpenApi;
  readonly described: Described;
  /** Whether it was chosen on this page, and so takes the focus. */
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
        <section className={css['part']}>
          <h3>{t('body')}</h3>
          <ContentView document={document} content={operation.requestBody.content} />
        </section>
      )}
      <section className={css['part']}>
        <h3>{t('curl')}</h3>
        <CodeBox label={t('curl')} code={curl} copy={t('copyCurl')} />
      </section>
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
    <header className={css['operationHead']}>
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
    </header>
  );
}
