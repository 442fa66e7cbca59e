import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Note, Stack } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Table } from '../../../ui/Table.tsx';
import type { Outcome } from '../../../lab/failure.ts';
import type { DiagnosisFacts, ParentFacts } from '../../../lab/protocol.ts';
import { useDiagnosisText } from './diagnosis-text.ts';
import { FindingView, type StartRemedy } from './FindingView.tsx';

/** The run to diagnose. It is given: modules shared with the lab would be chunks that the first load has to name. */
interface DiagnosisProps extends Named {
  readonly diagnosed: Outcome<DiagnosisFacts | null> | undefined;
  readonly ask: () => void;
  readonly parent: ParentFacts | undefined;
}

interface Named {
  /** A layer in words. */
  readonly nameOf: (layer: string) => string;
  readonly start: StartRemedy;
}

/** Why the run does not learn, and a button that starts another one by the remedy. */
export function DiagnosisPanel({ diagnosed, ask, parent, ...named }: DiagnosisProps) {
  const { t } = useDiagnosisText();
  const facts = diagnosed?.ok ? diagnosed.value : undefined;
  return (
    <Panel
      title={t('diagnosis.title')}
      note={t('diagnosis.note')}
      actions={<Button onClick={ask}>{t('diagnosis.diagnose')}</Button>}
    >
      {parent && (
        <Note>
          {t('diagnosis.parent', { rate: String(parent.learningRate), step: parent.step })}
        </Note>
      )}
      {diagnosed?.ok === false && (
        <Note>{t('diagnosis.failed', { reason: diagnosed.failure.kind })}</Note>
      )}
      {facts ? (
        <Diagnosed facts={facts} {...named} />
      ) : (
        <EmptyState icon="plot" title={t('diagnosis.none')}>
          {t('diagnosis.noneHelp')}
        </EmptyState>
      )}
    </Panel>
  );
}

interface DiagnosedProps extends Named {
  readonly facts: DiagnosisFacts;
}

function Diagnosed({ facts, nameOf, start }: DiagnosedProps) {
  const { t, format } = useDiagnosisText();
  const { findings, step, weights } = facts;
  return (
    <Stack gap={3}>
      <div aria-live="polite">
        {findings.length === 0 && <p>{t('diagnosis.well', { step })}</p>}
        {findings.map((finding) => (
          <FindingView key={finding.cause} {...{ finding, step, nameOf, start }} />
        ))}
      </div>
      <details>
        <summary>{t('diagnosis.gradients')}</summary>
        <Table
          caption={t('diagnosis.gradients')}
          columns={[
            {
              key: 'layer',
              title: t('diagnosis.layer'),
              cell: ({ name }) => nameOf(name),
            },
            {
              key: 'gradient',
              title: t('diagnosis.gradient'),
              align: 'end',
              cell: ({ gradient }) => format.number(gradient),
            },
          ]}
          rows={weights}
          height="limited"
          rowKey={({ name }) => name}
        />
      </details>
    </Stack>
  );
}
