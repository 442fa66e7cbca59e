import type { OpenApi, Parameter } from '../../api/openapi-client.ts';
import { Table, type Column } from '../../ui/Table.tsx';
import css from './ApiDocs.module.css';
import { useApiDocsText } from './api-docs-text.ts';
import { written } from './CodeBox.tsx';
import { Marked } from './Prose.tsx';
import type { SchemaReading } from './schema-members.ts';
import { typeWords } from './schema-words.ts';

export interface ParametersProps {
  readonly document: OpenApi;
  readonly parameters: readonly Parameter[];
}

export function Parameters({ document, parameters }: ParametersProps) {
  const text = useApiDocsText();
  return (
    <section className={css['part']}>
      <h3>{text.t('parameters')}</h3>
      <Table
        caption={text.t('parameters')}
        columns={columnsOf({ document, text })}
        rows={parameters}
        rowKey={(parameter) => `${parameter.in} ${parameter.name}`}
      />
    </section>
  );
}

function columnsOf(reading: SchemaReading): readonly Column<Parameter>[] {
  const { t } = reading.text;
  return [
    {
      key: 'name',
      title: t('parameter.name'),
      cell: ({ name, required }) => (
        <span className={css['memberLine']}>
          <code>{name}</code>
          {required && <span className={css['required']}>{t('required')}</span>}
        </span>
      ),
    },
    { key: 'in', title: t('parameter.in'), cell: (parameter) => t(`in.${parameter.in}`) },
    {
      key: 'type',
      title: t('parameter.type'),
      cell: ({ schema = {} }) => <div className={css['type']}>{typeWords(reading, schema)}</div>,
    },
    {
      key: 'meaning',
      title: t('parameter.meaning'),
      cell: ({ description = '–' }) => (
        <span lang="en">
          <Marked text={description} />
        </span>
      ),
    },
    {
      key: 'example',
      title: t('parameter.example'),
      cell: ({ example }) =>
        example !== undefined && <code>{[example].flat().map(written).join(', ')}</code>,
    },
  ];
}
