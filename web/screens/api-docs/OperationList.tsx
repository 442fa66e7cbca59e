import { Link } from 'wouter';
import type { OpenApi } from '../../api/openapi-client.ts';
import { classNames } from '../../ui/class-names.ts';
import { Note } from '../../ui/Layout.tsx';
import css from './ApiDocs.module.css';
import type { Described } from './operations.ts';
import { useApiDocsText } from './words/en-api-docs.ts';

interface OperationListProps {
  readonly document: OpenApi;
  readonly operations: readonly Described[];
  readonly chosen: string;
  readonly search: string;
}

/** Links to the operations, service by service. */
export function OperationList({ document, operations, chosen, search }: OperationListProps) {
  const { t } = useApiDocsText();
  return (
    <nav aria-label={t('list')} className={css['groups']}>
      {document.tags.map(({ name }) => {
        const group = operations.filter(({ tag }) => tag === name);
        if (group.length === 0) return null;
        return (
          <section key={name} aria-labelledby={`tag-${name}`}>
            <Note id={`tag-${name}`} as="h2" style={{ padding: 'var(--space-1) var(--space-2)' }}>
              {name}
            </Note>
            <ul>
              {group.map((described) => (
                <li key={described.id}>
                  <OperationLink
                    described={described}
                    isChosen={described.id === chosen}
                    search={search}
                  />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

interface OperationLinkProps {
  readonly described: Described;
  readonly isChosen: boolean;
  readonly search: string;
}

/** The search stays in the address, so that the list is unchanged. */
function OperationLink({ described, isChosen, search }: OperationLinkProps) {
  const { id, method, path } = described;
  const query = new URLSearchParams({ ...(search !== '' && { q: search }), op: id });
  return (
    <Link
      href={`/docs?${query}`}
      className={css['link']}
      aria-current={isChosen ? 'true' : undefined}
    >
      <MethodBadge method={method} />
      <code>{path}</code>
    </Link>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  GET: 'reads',
  HEAD: 'reads',
  OPTIONS: 'reads',
  DELETE: 'removes',
};

/** The method of an operation, coloured by its effect. */
export function MethodBadge({ method }: { readonly method: string }) {
  return (
    <span className={classNames(css['method'], css[KINDS[method] ?? 'changes'])}>{method}</span>
  );
}
