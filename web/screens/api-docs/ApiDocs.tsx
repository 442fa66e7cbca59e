import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type OpenApi, openApiQuery } from '../../api/openapi-client.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Note } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { text } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import css from './ApiDocs.module.css';
import { OperationList } from './OperationList.tsx';
import { findOperations, operationsOf } from './operations.ts';
import { OperationView } from './OperationView.tsx';
import { Prose } from './Prose.tsx';
import { useApiDocsText } from './words/en-api-docs.ts';

const FIELDS = { op: text('', 128), q: text('', 128) };

/** The API reference, from the platform's OpenAPI document. */
export function ApiDocs() {
  const { t } = useApiDocsText();
  const query = useQuery(openApiQuery);
  return (
    <ResourceScreen
      lead={query.data && t('lead', { version: query.data.info.version })}
      actions={
        <a href="/openapi.json" className={buttonClass('secondary')}>
          {t('document')}
        </a>
      }
      width="wide"
      query={query}
      skeleton={{ lines: 10, lineRem: 2.5 }}
    >
      {(document) => <Reference document={document} />}
    </ResourceScreen>
  );
}

function Reference({ document }: { readonly document: OpenApi }) {
  const { t } = useApiDocsText();
  const [{ op, q }, setState] = useUrlState(FIELDS);
  const operations = useMemo(() => operationsOf(document), [document]);
  const found = useMemo(() => findOperations(operations, q), [operations, q]);
  return (
    <div className={classNames(css['layout'], op !== '' && css['isChosen'])}>
      <div className={css['list']}>
        <search>
          <TextField
            label={t('search')}
            hint={t('searchHint')}
            type="search"
            value={q}
            maxLength={128}
            onChange={(search) => setState({ q: search })}
          />
        </search>
        <Note as="output">{t('shown', { count: found.length })}</Note>
        {found.length === 0 && (
          <EmptyState
            icon="search"
            title={t('noMatch')}
            action={<Button onClick={() => setState({ q: '' })}>{t('clear')}</Button>}
          >
            {t('noMatchHelp')}
          </EmptyState>
        )}
        <OperationList document={document} operations={found} chosen={op} search={q} />
      </div>
      <div className={css['detail']}>
        <Detail document={document} op={op} />
      </div>
    </div>
  );
}

/** The operation in the address, or an overview. */
function Detail({ document, op }: { readonly document: OpenApi; readonly op: string }) {
  const { t } = useApiDocsText();
  const [first] = useState(op);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && op !== first) setHasMoved(true);
  if (op === '') return <About document={document} />;
  const described = operationsOf(document).find(({ id }) => id === op);
  return (
    <>
      <Link href="/docs" className={classNames(buttonClass('secondary'), css['back'])}>
        {t('all')}
      </Link>
      {described ? (
        <OperationView
          key={op}
          document={document}
          described={described}
          arrival={hasMoved ? 'chosen' : 'linked'}
        />
      ) : (
        <EmptyState icon="search" title={t('unknown', { id: op })}>
          {t('unknownHelp')}
        </EmptyState>
      )}
    </>
  );
}

function About({ document: { info, tags } }: { readonly document: OpenApi }) {
  const { t } = useApiDocsText();
  return (
    <Panel title={t('about')}>
      {info.description && <Prose text={info.description} />}
      <dl className={css['tags']} lang="en">
        {tags.map(({ name, description }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
