import type { FormEvent, KeyboardEvent, MouseEvent } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { type GivenMedia, MEDIA_KINDS, type Question } from '../exchanges/question.ts';
import type { ModelInputs } from '../../../../edge/inference/contract/request-inputs.ts';
import css from '../Playground.module.css';
import { type ChangeFields, MAX_PROMPT, type PlaygroundFields } from '../playground-fields.ts';
import { usePlaygroundText } from '../playground-text.ts';
import { MediaField } from './MediaField.tsx';
import { RequestCode } from './RequestCode.tsx';
import { SettingFields } from './SettingFields.tsx';
import { TargetFields } from './TargetFields.tsx';
import { Note } from '../../../ui/Layout.tsx';

interface AskFormProps {
  readonly fields: PlaygroundFields;
  readonly onFields: ChangeFields;
  readonly prompt: string;
  readonly onPrompt: (prompt: string) => void;
  /** Inputs of the model. */
  readonly takes: ModelInputs;
  readonly media: GivenMedia;
  readonly onMedia: (media: GivenMedia) => void;
  /** The request as filled in; null while something is missing. */
  readonly question: Question | null;
  readonly onAsk: () => void;
  /** Set while an answer is being written. */
  readonly onStop: (() => void) | undefined;
}

/** Which model is asked, what, and how. */
export function AskForm(props: AskFormProps) {
  const { fields, onFields, question, onAsk, onStop } = props;
  const { t } = usePlaygroundText();
  const [target] = question?.targets ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question && !onStop) onAsk();
  };
  return (
    <Panel title={t('form.title')}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut of its button */}
      <form className={css['form']} onSubmit={submit} onKeyDown={submitByKey}>
        <Targets fields={fields} onChange={onFields} />
        <Inputs {...props} />
        <SettingFields fields={fields} onChange={onFields} />
        {question && target && <RequestCode question={question} target={target} />}
        <div className={css['actions']}>
          <AskButton canAsk={question !== null} onStop={onStop} />
          <Missing {...props} />
        </div>
      </form>
    </Panel>
  );
}

/** The fields of what the model takes, and no others. */
function Inputs({ prompt, onPrompt, takes, media, onMedia }: AskFormProps) {
  const { t } = usePlaygroundText();
  const hint = takes.text === 'needed' ? 'form.promptHint' : 'form.promptOptional';
  return (
    <>
      {MEDIA_KINDS.map((kind) => {
        const need = takes[kind];
        return (
          need && (
            <MediaField
              key={kind}
              kind={kind}
              need={need}
              given={media[kind]}
              onGive={(file) => {
                const { [kind]: _, ...others } = media;
                onMedia(file ? { ...others, [kind]: file } : others);
              }}
            />
          )
        );
      })}
      {takes.text && (
        <TextAreaField
          label={t('form.prompt')}
          hint={t(hint, { keys: SHORTCUT })}
          value={prompt}
          maxLength={MAX_PROMPT}
          onChange={onPrompt}
        />
      )}
    </>
  );
}

/** Names the input that is missing before a request can be sent. */
function Missing({ fields, takes, media }: AskFormProps) {
  const { t } = usePlaygroundText();
  const missing = MEDIA_KINDS.find((kind) => takes[kind] === 'needed' && !media[kind]);
  if (fields.model === '') return <Note as="span">{t('form.noModel')}</Note>;
  return missing ? <Note as="span">{t(`form.${missing}Missing`)}</Note> : null;
}

const SHORTCUT = 'Ctrl+Enter';

function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  if (!event.nativeEvent.isComposing) event.currentTarget.requestSubmit();
}

interface AskButtonProps {
  readonly canAsk: boolean;
  readonly onStop: (() => void) | undefined;
}

/** Ask or stop; one button for both, so that the focus stays where it is. */
function AskButton({ canAsk, onStop }: AskButtonProps) {
  const { t } = usePlaygroundText();
  if (onStop) {
    const stop = (event: MouseEvent) => {
      // By the end of the click it is the button that submits again.
      event.preventDefault();
      onStop();
    };
    return (
      <Button tone="primary" icon="stop" onClick={stop}>
        {t('form.stop')}
      </Button>
    );
  }
  return (
    <Button tone="primary" icon="play" type="submit" state={canAsk ? 'ready' : 'blocked'}>
      {t('form.ask')}
    </Button>
  );
}

interface TargetsProps {
  readonly fields: PlaygroundFields;
  readonly onChange: ChangeFields;
}

/** One version, or two side by side. */
function Targets({ fields, onChange }: TargetsProps) {
  const { t } = usePlaygroundText();
  const { model, beside } = fields;
  return (
    <>
      <TargetFields
        label={t('form.model')}
        target={model}
        onChange={(chosen) => onChange({ model: chosen })}
      />
      {model !== '' && (
        <Toggle
          state={beside === '' ? 'off' : 'on'}
          onToggle={(state) => onChange({ beside: state === 'on' ? model : '' })}
        >
          {t('form.compare')}
        </Toggle>
      )}
      {beside !== '' && (
        <TargetFields
          label={t('form.second')}
          target={beside}
          onChange={(chosen) => onChange({ beside: chosen })}
        />
      )}
    </>
  );
}
