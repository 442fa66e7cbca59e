import type { OpenApi } from '../../api/openapi-client.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { useApiDocsText } from './api-docs-text.ts';
import css from './ApiDocs.module.css';
import { ContentView } from './ContentView.tsx';
import type { DescribedResponse } from './operations.ts';
import { Marked } from './Prose.tsx';

const PROBLEM = 'application/problem+json';

interface ResponsesProps {
  readonly document: OpenApi;
  readonly responses: readonly DescribedResponse[];
}

/** The responses of an operation, then its problem codes. */
export function Responses({ document, responses }: ResponsesProps) {
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
