import { useState, type FormEvent } from 'react';
import type { WritingState } from '../../../lab/lab-state.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { failureWords } from '../failure-words.ts';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';
import { CopyText } from './CopyText.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { SamplingFields } from './SamplingFields.tsx';
import { useWriting } from './use-writing.ts';
import { WriteButton } from './WriteButton.tsx';
import { isPromptFailure, WrittenText } from './WrittenText.tsx';
import { Grid, Note, Row, Stack } from '../../../ui/Layout.tsx';

/** Lets a model write: the one in the lab, also while it trains, or a registered one. */
export function WritingView() {
  const { t } = useLabText();
  const writing = useLab((state) => state.writing);
  const controls = useWriting();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    controls.write();
  };
  return (
    <Panel
      title={t('write.title')}
      actions={
        <>
          <Told writing={writing} />
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
      <WrittenText
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

/** Says here which character the model does not know. */
function PromptField({ writing }: { readonly writing: WritingState }) {
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

/** How much was written and how fast; read aloud once it is. */
function Told({ writing }: { readonly writing: WritingState }) {
  const { t } = useLabText();
  return (
    <Note as="output">
      {writing.status === 'done'
        ? t('write.done', { count: writing.tokens, seconds: writing.seconds })
        : ''}
    </Note>
  );
}
