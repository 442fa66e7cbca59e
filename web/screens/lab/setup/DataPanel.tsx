import { familyDescriptions } from '../../../../engine/index.ts';
import type { DataState } from '../../../lab/protocol.ts';
import type { PlacedFile } from '../../../ui/dropped-files.ts';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { FailureNote } from '../FailureNote.tsx';
import { useLabForm } from '../fields-context.ts';
import { TEXTS } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { useRunRequest } from '../run/use-run.ts';
import { useLab } from '../lab-store.ts';
import { DataFactsView } from './DataFactsView.tsx';
import css from './Setup.module.css';
import { chooseFiles, useDataChoice, usePasted } from './use-data-choice.ts';
import { Note } from '../../../ui/Layout.tsx';

/** States in which the data belongs to the run. */
const BOUND = new Set(['opening', 'ready', 'training', 'paused', 'finished']);

/** Training data of the model: a text, or files for families that train on other data. */
export function DataPanel() {
  const { t } = useLabText();
  const { fields } = useLabForm();
  const { settings } = useRunRequest();
  const isBound = useLab(({ run }) => BOUND.has(run.status));
  const isText = familyDescriptions[fields.architecture].category === 'LangText';
  useDataChoice(isText ? fields.text : 'file', settings);
  const choose = (files: readonly PlacedFile[]) => {
    // Drop events reach the page even when the fieldset is disabled.
    if (files.length > 0 && !isBound) chooseFiles(files, settings);
  };
  return (
    <Panel title={t(isText ? 'setup.text' : 'setup.data')}>
      <fieldset className={css['fields']} disabled={isBound}>
        {isText ? <TextFields onFiles={choose} /> : <DataDrop onFiles={choose} />}
      </fieldset>
      <ReadData />
    </Panel>
  );
}

interface FilesProps {
  readonly onFiles: (files: readonly PlacedFile[]) => void;
}

function TextFields({ onFiles }: FilesProps) {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  return (
    <>
      <Segmented
        legend={t('setup.textChoice')}
        options={TEXTS.map((value) => ({ value, label: t(`setup.${value}`) }))}
        value={fields.text}
        onChange={(text) => change({ text })}
      />
      {fields.text === 'moby-dick' && <Note>{t('setup.mobyDickNote')}</Note>}
      {fields.text === 'stories' && <Note>{t('setup.storiesNote')}</Note>}
      {fields.text === 'paste' && <PasteField />}
      {fields.text === 'file' && <DataDrop onFiles={onFiles} />}
    </>
  );
}

/** Drop area for the files that a family trains on. */
function DataDrop({ onFiles }: FilesProps) {
  const { t } = useLabText();
  const { fields } = useLabForm();
  const { category } = familyDescriptions[fields.architecture];
  return (
    <div className={css['field']}>
      <FileDrop choose={t('setup.filesButton')} hint={t('setup.fileDrop')} onFiles={onFiles} />
      <Note>{t(`setup.files.${category}`)}</Note>
    </div>
  );
}

function PasteField() {
  const { t } = useLabText();
  const [text, setText] = usePasted();
  return (
    <TextAreaField
      label={t('setup.pasteLabel')}
      hint={t('setup.pasteHint')}
      value={text}
      onChange={setText}
    />
  );
}

/** Facts about the data, or the error of reading it. */
function ReadData() {
  const data = useLab((state) => state.data);
  const tooShort = useLab(({ plan }) =>
    plan.status === 'refused' &&
    plan.failure.kind === 'engine' &&
    plan.failure.code === 'text-too-short'
      ? plan.failure
      : null,
  );
  switch (data.status) {
    case 'none':
      return null;
    case 'scanning':
      return <Scanning {...data} />;
    case 'refused':
      return <FailureNote failure={data.failure} />;
    case 'open':
      return (
        <>
          {tooShort && <FailureNote failure={tooShort} />}
          <DataFactsView facts={data.facts} />
        </>
      );
  }
}

function Scanning({ name, bytes, size }: Extract<DataState, { status: 'scanning' }>) {
  const { t, format } = useLabText();
  const words = t('setup.scanned', { done: format.bytes(bytes), size: format.bytes(size) });
  return (
    <div className={css['field']}>
      <ProgressBar
        label={t('setup.scanning', { name })}
        fraction={size === 0 ? 0 : bytes / size}
        valueText={words}
      />
      <Note>{words}</Note>
    </div>
  );
}
