import type { Contents, OpenApi } from '../../api/openapi-client.ts';
import css from './ApiDocs.module.css';
import { useApiDocsText } from './api-docs-text.ts';
import { CodeBox, written } from './CodeBox.tsx';
import { SchemaView } from './SchemaView.tsx';

export interface ContentViewProps {
  readonly document: OpenApi;
  readonly content: Contents;
}

/** What a body may be: for each media type its schema and an example. */
export function ContentView({ document, content }: ContentViewProps) {
  const { t } = useApiDocsText();
  return Object.entries(content).map(([type, { schema, example }]) => (
    <div key={type} className={css['content']}>
      <code className={css['media']}>{type}</code>
      {schema ? <SchemaView document={document} schema={schema} /> : <p>{t('bytes')}</p>}
      {example !== undefined && (
        <details>
          <summary>{t('example')}</summary>
          <CodeBox label={t('example')} code={written(example)} copy={t('ui.copy')} />
        </details>
      )}
    </div>
  ));
}
