import { useState } from 'react';
import { type EvaluationReport, parseReport } from '../../../../engine/index.ts';
import type { StoredReport } from '../../../evaluation/report-shelf.ts';
import { Badge } from '../../../ui/Badge.tsx';
import type { PlacedFile } from '../../../ui/dropped-files.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Note, Row, Stack } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Toggle } from '../../../ui/Toggle.tsx';
import css from '../Evaluate.module.css';
import { reportShelf, useReports } from '../evaluation-store.ts';
import { useEvaluateText } from '../words/en-evaluate.ts';
import { shortName } from './shown-report.ts';

interface ShelfPanelProps {
  /** The ids of the compared reports. */
  readonly shown: readonly string[];
  readonly onShow: (ids: readonly string[]) => void;
  readonly onHide: (id: string) => void;
}

/** The reports stored in this browser, to compare, save and remove. */
export function ShelfPanel({ shown, onShow, onHide }: ShelfPanelProps) {
  const { t } = useEvaluateText();
  const reports = useReports();
  const [message, setMessage] = useState<string | null>(null);

  async function open(files: readonly PlacedFile[]) {
    try {
      const texts = files.map(async ({ file }) => parseReport(file.name, await file.text()));
      onShow((await Promise.all(texts)).map(reportShelf().add));
      setMessage(null);
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <Panel title={t('shelf.title')} note={t('shelf.note')}>
      <Stack gap={3}>
        <FileDrop
          choose={t('shelf.choose')}
          hint={t('shelf.drop')}
          onFiles={(files) => void open(files)}
        />
        {message !== null && <ErrorState error={new Error(t('shelf.refused', { message }))} />}
        <Stack as="ul" gap={0}>
          {reports.map((stored) => (
            <ReportRow
              key={stored.id}
              stored={stored}
              state={shown.includes(stored.id) ? 'on' : 'off'}
              onShow={onShow}
              onHide={onHide}
            />
          ))}
        </Stack>
      </Stack>
    </Panel>
  );
}

interface ReportRowProps extends Omit<ShelfPanelProps, 'shown'> {
  readonly stored: StoredReport;
  readonly state: 'on' | 'off';
}

function ReportRow({ stored: { id, report }, state, onShow, onHide }: ReportRowProps) {
  const { t, format } = useEvaluateText();
  const name = shortName(report);
  const { data, status, created_at } = report;
  return (
    <li className={css['report']}>
      <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
        <Toggle state={state} onToggle={(next) => (next === 'on' ? onShow([id]) : onHide(id))}>
          {t('shelf.show', { name })}
        </Toggle>
        <Note as="span">
          {t('shelf.data', { data: data.name, split: t(`data.${data.split}`) })}
        </Note>
        <Note as="span">{format.dateTime(new Date(created_at))}</Note>
        {status === 'partial' && <Badge tone="warn">{t('shelf.partial')}</Badge>}
      </Stack>
      <Row gap={0}>
        <IconButton icon="save" label={t('shelf.save', { name })} onClick={() => save(report)} />
        <IconButton
          icon="trash"
          label={t('shelf.remove', { name })}
          onClick={() => {
            onHide(id);
            reportShelf().remove(id);
          }}
        />
      </Row>
    </li>
  );
}

function save(report: EvaluationReport): void {
  const file = new Blob([`${JSON.stringify(report, undefined, 2)}\n`], {
    type: 'application/json',
  });
  saveFile('report.json', file);
}
