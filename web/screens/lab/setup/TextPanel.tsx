import type { TextState } from '../../../lab/protocol.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { FailureNote } from '../FailureNote.tsx';
import { useLabForm } from '../fields-context.ts';
import { TEXTS } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';
import { FileDrop } from './FileDrop.tsx';
import { ReadingFields } from './ReadingFields.tsx';
import css from './Setup.module.css';
import { TextFactsView } from './TextFactsView.tsx';
import { chooseFile, usePasted, useTextChoice } from './use-text-choice.ts';

/** States in which the text belongs to the run. */
const BOUND = new Set(['opening', 'ready', 'training', 'paused', 'finished']);

/** What the model learns from. */
export function TextPanel() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  const isBound = useLab(({ run }) => BOUND.has(run.status));
  useTextChoice(fields);
  return (
    <Panel title={t('setup.text')}>
      <fieldset className={css['fields']} disabled={isBound}>
        <Segmented
          legend={t('setup.textChoice')}
          options={TEXTS.map((value) => ({ value, label: t(`setup.${value}`) }))}
          value={fields.text}
          onChange={(text) => change({ text })}
        />
        {fields.text === 'moby-dick' && <p className={css['hint']}>{t('setup.mobyDickNote')}</p>}
        {fields.text === 'stories' && <p className={css['hint']}>{t('setup.storiesNote')}</p>}
        {fields.text === 'paste' && <PasteField />}
        {fields.text === 'file' && <FileDrop onFile={chooseFile} />}
        <ReadingFields />
      </fieldset>
      <ReadText />
    </Panel>
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

/** What the engine found in the text, or what is wrong with it. */
function ReadText() {
  const text = useLab((state) => state.text);
  const tooShort = useLab(({ plan }) =>
    plan.status === 'refused' &&
    plan.failure.kind === 'engine' &&
    plan.failure.code === 'text-too-short'
      ? plan.failure
      : null,
  );
  switch (text.status) {
    case 'none':
      return null;
    case 'scanning':
      return <Scanning {...text} />;
    case 'refused':
      return <FailureNote failure={text.failure} />;
    case 'open':
      return (
        <>
          {tooShort && <FailureNote failure={tooShort} />}
          <TextFactsView facts={text.facts} />
        </>
      );
  }
}

function Scanning({ name, bytes, size }: Extract<TextState, { status: 'scanning' }>) {
  const { t, format } = useLabText();
  const words = t('setup.scanned', { done: format.bytes(bytes), size: format.bytes(size) });
  return (
    <div className={css['field']}>
      <ProgressBar
        label={t('setup.scanning', { name })}
        fraction={size === 0 ? 0 : bytes / size}
        valueText={words}
      />
      <p className={css['hint']}>{words}</p>
    </div>
  );
}
