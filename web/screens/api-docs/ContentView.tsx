import { useState } from 'react';
import type { Contents, JsonSchema, OpenApi } from '../../api/openapi-client.ts';
import { Note } from '../../ui/Layout.tsx';
import css from './ApiDocs.module.css';
import { CodeBox, written } from './CodeBox.tsx';
import { type Member, membersOf } from './schema-members.ts';
import { typeText } from './schema-text.ts';
import { useApiDocsText } from './words/en-api-docs.ts';

interface ContentViewProps {
  readonly document: OpenApi;
  readonly content: Contents;
}

/** The media types of a body with their schemas and examples. */
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

interface SchemaViewProps {
  readonly document: OpenApi;
  readonly schema: JsonSchema;
}

/** A schema: its type and expandable members. */
function SchemaView({ document, schema }: SchemaViewProps) {
  const text = useApiDocsText();
  const members = membersOf({ document, text }, schema);
  return (
    <div className={css['schema']}>
      <p className={css['type']}>{typeText({ document, text }, schema)}</p>
      {members.length > 0 && <Members document={document} members={members} />}
    </div>
  );
}

interface MembersProps {
  readonly document: OpenApi;
  readonly members: readonly Member[];
}

function Members({ document, members }: MembersProps) {
  return (
    <ul className={css['members']}>
      {members.map((member) => (
        <MemberLine key={member.name} document={document} member={member} />
      ))}
    </ul>
  );
}

interface MemberLineProps {
  readonly document: OpenApi;
  readonly member: Member;
}

function MemberLine({ document, member: { name, schema, isRequired } }: MemberLineProps) {
  const text = useApiDocsText();
  const inner = membersOf({ document, text }, schema);
  // Collapsed members are not rendered: a schema may be recursive.
  const [state, setState] = useState<'open' | 'folded'>('folded');
  const line = (
    <>
      <code className={css['memberName']}>{name}</code>
      <span className={css['type']}>{typeText({ document, text }, schema)}</span>
      {isRequired && <span className={css['required']}>{text.t('required')}</span>}
    </>
  );
  return (
    <li className={css['member']}>
      {inner.length === 0 ? (
        <span className={css['memberLine']}>{line}</span>
      ) : (
        <details onToggle={(event) => setState(event.currentTarget.open ? 'open' : 'folded')}>
          <summary className={css['memberLine']}>{line}</summary>
          {state === 'open' && <Members document={document} members={inner} />}
        </details>
      )}
      {schema.description && <Note lang="en">{schema.description}</Note>}
    </li>
  );
}
