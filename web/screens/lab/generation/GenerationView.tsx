import { useCopy } from '../../../app/use-copy.ts';
import type { GenerationState } from '../../../lab/lab-state.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Grid, Note, Row, Stack } from '../../../ui/Layout.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { failureWords } from '../failure-words.ts';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { ariaShortcut, SHORTCUTS, shortcutText, useShortcut } from '../run/shortcuts.ts';
import { useLab } from '../lab-store.ts';
import { ModelPicker } from './ModelPicker.tsx';
import { SamplingFields } from './SamplingFields.tsx';
import { isPromptFailure, GeneratedText } from './GeneratedText.tsx';
import { useGeneration, type GenerationControls } from './use-generation.ts';
import { type FormEvent, useState } from 'react';

/** Generates text with the model in the lab, also while it trains, or with a registered one. */
export function GenerationView() {
  const { t } = useLabText();
  const writing = useLab((state) => state.writing);
  const controls = useGeneration();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    controls.write();
  };
  return (
    <Panel
      title={t('write.title')}
      actions={
        <>
          <Summary writing={writing} />
          <CopyText />
        </>
      }
    >
      <Stack as="form" gap={3} onSubmit={submit}>
        <Grid min="9rem" align="start">
          <ModelFields />
          <PromptField writing={writing} />
        </Grid>
        <Row gap={[2, 4]}>
          <WriteButton controls={controls} />
          <SamplingFields />
        </Row>
      </Stack>
      <GeneratedText
        writing={writing}
        hint={t(controls.canWrite ? 'write.ready' : 'write.nothing')}
      />
    </Panel>
  );
}

const SOURCES = ['inLab', 'registered'] as const;

function ModelFields() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  const [wish, setWish] = useState<(typeof SOURCES)[number]>('inLab');
  const source = fields.model === '' ? wish : 'registered';
  return (
    <>
      <SelectField
        label={t('write.model')}
        options={SOURCES.map((value) => ({ value, label: t(`write.${value}`) }))}
        value={source}
        onChange={(chosen) => {
          setWish(chosen);
          if (chosen === 'inLab') change({ model: '' });
        }}
      />
      {source === 'registered' && (
        <ModelPicker model={fields.model} onChoose={(model) => change({ model })} />
      )}
    </>
  );
}

/** The prompt, with an error for characters outside the vocabulary. */
function PromptField({ writing }: { readonly writing: GenerationState }) {
  const text = useLabText();
  const { fields, change } = useLabForm();
  const isWrong =
    writing.status === 'failed' && isPromptFailure(writing) && writing.prompt === fields.prompt;
  const words = isWrong ? failureWords(writing.failure, text) : undefined;
  return (
    <TextField
      label={text.t('write.prompt')}
      error={words && `${words.title} ${words.detail ?? ''}`}
      value={fields.prompt}
      maxLength={500}
      onChange={(prompt) => change({ prompt })}
    />
  );
}

/** Token count and duration; read by screen readers on completion. */
function Summary({ writing }: { readonly writing: GenerationState }) {
  const { t } = useLabText();
  return (
    <Note as="output">
      {writing.status === 'done'
        ? t('write.done', { count: writing.tokens, seconds: writing.seconds })
        : ''}
    </Note>
  );
}

/** Copies the prompt and what was written after it. */
function CopyText() {
  const { t } = useLabText();
  const copy = useCopy();
  const text = useLab(({ writing }) =>
    writing.status === 'idle' ? '' : writing.prompt + writing.text,
  );

  return (
    <IconButton
      icon="copy"
      label={t('write.copy')}
      disabled={text === ''}
      onClick={() => void copy(text)}
    />
  );
}

/** Generate or stop; one button for both, so that the focus does not move. */
function WriteButton({ controls }: { readonly controls: GenerationControls }) {
  const { t } = useLabText();
  const { canWrite, isGenerating, write, stop } = controls;
  const action = isGenerating ? stop : canWrite ? write : undefined;
  useShortcut(SHORTCUTS.write, action);
  return (
    <Tooltip text={t('write.startHint', { keys: shortcutText(SHORTCUTS.write) })}>
      <Button
        tone="primary"
        icon={isGenerating ? 'stop' : 'write'}
        state={action ? 'ready' : 'blocked'}
        aria-keyshortcuts={ariaShortcut(SHORTCUTS.write)}
        // As the button that submits, it lets Enter in the prompt write.
        type={isGenerating ? 'button' : 'submit'}
        {...(isGenerating && { onClick: stop })}
      >
        {t(isGenerating ? 'write.stop' : 'write.start')}
      </Button>
    </Tooltip>
  );
}
