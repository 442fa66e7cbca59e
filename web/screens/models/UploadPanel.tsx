import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createStore, useStore } from 'zustand';
import { Filename } from '../../../edge/registry/contract/model-file.ts';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import {
  type ResumableUpload,
  startUpload,
  type UploadState,
  type UploadTarget,
} from '../../api/resumable-upload.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import css from './Upload.module.css';
import { useModelsText } from './words/en-models.ts';

/** Uploads files to a version and shows their progress. */
export function UploadPanel({ model }: { readonly model: ModelDetails }) {
  const { t } = useModelsText();
  const queries = useQueryClient();
  const { model_id: modelId, version } = model;
  const uploads = useUploads(modelId, version);
  const [refused, setRefused] = useState<readonly string[]>([]);

  function take(files: readonly File[]) {
    setRefused(files.filter((file) => !isNamed(file)).map((file) => file.name));
    for (const file of files.filter(isNamed)) {
      addUpload({ modelId, version, file }, () => {
        void queries.invalidateQueries({ queryKey: ['models'] });
      });
    }
  }

  return (
    <Panel title={t('upload.title')} note={t('upload.note')}>
      <FileDrop
        choose={t('upload.choose')}
        hint={t('upload.drop')}
        onFiles={(files) => take(files.map(({ file }) => file))}
      />
      {refused.length > 0 && (
        <ul className={css['refused']} role="alert">
          {refused.map((file) => (
            <li key={file}>{t('upload.badName', { file })}</li>
          ))}
        </ul>
      )}
      {uploads.length > 0 && (
        <Stack as="ul" gap={0} aria-label={t('upload.list')}>
          {uploads.map((upload, index) => (
            // eslint-disable-next-line react/no-array-index-key -- two uploads may be of one name
            <UploadRow key={`${upload.file.name} ${index}`} upload={upload} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

const isNamed = (file: File) => Filename.safeParse(file.name).success;

const TONES: Readonly<Record<UploadState['status'], BadgeTone>> = {
  sending: 'neutral',
  paused: 'warn',
  waiting: 'warn',
  done: 'good',
  failed: 'bad',
};

/** One upload with its progress and buttons. */
function UploadRow({ upload }: { readonly upload: ResumableUpload }) {
  const { t, format } = useModelsText();
  const state = useStore(upload.store);
  const { name, size } = upload.file;
  const sent = state.status === 'done' ? size : 'sent' in state ? state.sent : 0;
  const words = t('upload.sent', { sent: format.bytes(sent), total: format.bytes(size) });
  return (
    <li className={css['row']}>
      <span className={css['name']}>{name}</span>
      <Badge tone={TONES[state.status]}>{t(`upload.${state.status}`)}</Badge>
      <span className={css['bar']}>
        <ProgressBar
          label={t('upload.progress', { file: name })}
          fraction={size === 0 ? 1 : sent / size}
          valueText={words}
        />
      </span>
      <span className={css['sent']}>{words}</span>
      <UploadButtons upload={upload} status={state.status} />
      {state.status === 'failed' && (
        <div className={css['error']}>
          <ErrorState error={state.error} />
        </div>
      )}
    </li>
  );
}

interface UploadButtonsProps {
  readonly upload: ResumableUpload;
  readonly status: UploadState['status'];
}

function UploadButtons({ upload, status }: UploadButtonsProps) {
  const { t } = useModelsText();
  const file = upload.file.name;
  return (
    <Row as="span" gap={0} justify="flex-end">
      {status === 'sending' && (
        <IconButton icon="pause" label={t('upload.pause', { file })} onClick={upload.pause} />
      )}
      {(status === 'paused' || status === 'waiting' || status === 'failed') && (
        <IconButton icon="play" label={t('upload.resume', { file })} onClick={upload.resume} />
      )}
      <IconButton
        icon="close"
        label={t(status === 'done' ? 'upload.dismiss' : 'upload.cancel', { file })}
        onClick={() => dropUpload(upload)}
      />
    </Row>
  );
}

/** The uploads of this tab, which continue while other screens are shown. */
const uploads = createStore<readonly ResumableUpload[]>(() => []);

/** @param onDone called when the registry has the whole file */
function addUpload(target: UploadTarget, onDone: () => void): void {
  const upload = startUpload(target);
  upload.store.subscribe(({ status }, before) => {
    if (status === 'done' && before.status !== 'done') onDone();
  });
  uploads.setState((list) => [...list, upload], true);
}

/** Removes an upload from the list; an incomplete one is cancelled. */
function dropUpload(upload: ResumableUpload): void {
  if (upload.store.getState().status !== 'done') upload.cancel();
  uploads.setState((list) => list.filter((other) => other !== upload), true);
}

/** The uploads to one version. */
function useUploads(modelId: string, version: string): readonly ResumableUpload[] {
  const all = useStore(uploads);
  return all.filter((upload) => upload.modelId === modelId && upload.version === version);
}
