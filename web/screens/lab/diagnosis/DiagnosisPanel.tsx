import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Note, Stack } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Table } from '../../../ui/Table.tsx';
import type { DiagnosisFacts } from '../../../lab/protocol.ts';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import { useLab } from '../lab-store.ts';
import { useDiagnosisText } from './diagnosis-text.ts';
import { FindingView } from './FindingView.tsx';
import { useDiagnosis } from './use-diagnosis.ts';

/** Why the run does not learn, and a button that starts another one by the remedy. */
export function DiagnosisPanel() {
  const { t } = useDiagnosisText();
  const [diagnosed, ask] = useDiagnosis();
  const parent = useLab(({ run }) => ('run' in run ? run.run.parent : undefined));
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
        <Diagnosed facts={facts} />
      ) : (
        <EmptyState icon="plot" title={t('diagnosis.none')}>
          {t('diagnosis.noneHelp')}
        </EmptyState>
      )}
    </Panel>
  );
}

function Diagnosed({ facts }: { readonly facts: DiagnosisFacts }) {
  const text = useDiagnosisText();
  const { t, format } = text;
  const { findings, step, weights } = facts;
  return (
    <Stack gap={3}>
      <div aria-live="polite">
        {findings.length === 0 && <p>{t('diagnosis.well', { step })}</p>}
        {findings.map((finding) => (
          <FindingView key={finding.cause} finding={finding} step={step} />
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
              cell: ({ name }) => layerWords(text, name),
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
