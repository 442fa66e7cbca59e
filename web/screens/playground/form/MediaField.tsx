import { useEffect, useMemo } from 'react';
import { Field } from '../../../ui/Field.tsx';
import type { GivenFile, MediaKind } from '../exchanges/question.ts';
import css from '../Playground.module.css';
import { usePlaygroundText } from '../playground-text.ts';
import { Stack } from '../../../ui/Layout.tsx';

/** Files that the service decodes, by what they are asked as. */
const ACCEPTED: Readonly<Record<MediaKind, string>> = {
  image: 'image/png,.png',
  audio: 'audio/wav,audio/x-wav,.wav',
};
/** The size limit of the service for each file: 12 MiB. */
const MAX_BYTES = 12 * 2 ** 20;

interface MediaFieldProps {
  readonly kind: MediaKind;
  readonly need: 'needed' | 'taken';
  readonly given: GivenFile | undefined;
  readonly onGive: (file: GivenFile | undefined) => void;
}

/** A picture or a sound that a model is asked with, shown as it will be sent. */
export function MediaField({ kind, need, given, onGive }: MediaFieldProps) {
  const { t } = usePlaygroundText();
  const choose = (file: File | undefined) => {
    if (file) void givenOf(file).then(onGive);
    else onGive(undefined);
  };
  const isTooLarge = given !== undefined && given.bytes > MAX_BYTES;
  return (
    <Field
      label={t(`form.${kind}`)}
      hint={t(need === 'needed' ? `form.${kind}Hint` : `form.${kind}Optional`)}
      error={isTooLarge ? t('form.tooLarge') : undefined}
    >
      {(control) => (
        <Stack gap={2}>
          <input
            {...control}
            type="file"
            accept={ACCEPTED[kind]}
            onChange={({ target }) => choose(target.files?.[0])}
          />
          {given && <Preview kind={kind} given={given} />}
        </Stack>
      )}
    </Field>
  );
}

function Preview({ kind, given }: Required<Pick<MediaFieldProps, 'kind'>> & { given: GivenFile }) {
  const { t } = usePlaygroundText();
  const url = useMemo(() => URL.createObjectURL(given.file), [given.file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  if (kind === 'image') {
    return (
      <img className={css['preview']} src={url} alt={t('form.imageAlt', { name: given.name })} />
    );
  }
  return (
    <audio className={css['sound']} controls src={url}>
      <track kind="captions" />
    </audio>
  );
}

async function givenOf(file: File): Promise<GivenFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, file, bytes: bytes.length, base64: base64Of(bytes) };
}

/** A call takes no more arguments than fit on the stack. */
const CHUNK_BYTES = 8_192;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK_BYTES));
  }
  return btoa(text);
}
