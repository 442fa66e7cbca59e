import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
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
import { classNames } from '../../ui/class-names.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { useModelsText } from './models-text.ts';
import css from './Upload.module.css';

/** Takes files for a version, and shows how far each is. */
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
      <FilesDrop onFiles={take} />
      {refused.length > 0 && (
        <ul className={css['refused']} role="alert">
          {refused.map((file) => (
            <li key={file}>{t('upload.badName', { file })}</li>
          ))}
        </ul>
      )}
      {uploads.length > 0 && (
        <ul className={css['list']} aria-label={t('upload.list')}>
          {uploads.map((upload, index) => (
            // eslint-disable-next-line react/no-array-index-key -- two uploads may be of one name
            <UploadRow key={`${upload.file.name} ${index}`} upload={upload} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const isNamed = (file: File) => Filename.safeParse(file.name).success;

interface FilesDropProps {
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files: dropped, or chosen in the browser's own dialog. */
function FilesDrop({ onFiles }: FilesDropProps) {
  const { t } = useModelsText();
  const [over, setOver] = useState<'over' | 'away'>('away');

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver('away');
    onFiles([...event.dataTransfer.files]);
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the input takes files by keyboard
    <label
      className={classNames(css['drop'], css[over])}
      onDragOver={(event) => {
        event.preventDefault();
        setOver('over');
      }}
      onDragLeave={() => setOver('away')}
      onDrop={drop}
    >
      <Icon name="upload" />
      <span className={css['choose']}>{t('upload.choose')}</span>
      <span>{t('upload.drop')}</span>
      <input
        className="visually-hidden"
        type="file"
        multiple
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </label>
  );
}

const TONES: Readonly<Record<UploadState['status'], BadgeTone>> = {
  sending: 'neutral',
  paused: 'warn',
  waiting: 'warn',
  done: 'good',
  failed: 'bad',
};

/** One upload: how far it is, and its buttons. */
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
    <span className={css['buttons']}>
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
    </span>
  );
}

/** The uploads of this tab: they go on while one looks at other screens. */
const uploads = createStore<readonly ResumableUpload[]>(() => []);

/** @param onDone called when the registry has the whole file */
function addUpload(target: UploadTarget, onDone: () => void): void {
  const upload = startUpload(target);
  upload.store.subscribe(({ status }, before) => {
    if (status === 'done' && before.status !== 'done') onDone();
  });
  uploads.setState((list) => [...list, upload], true);
}

/** Takes an upload off the list; one that is not complete is given up. */
function dropUpload(upload: ResumableUpload): void {
  if (upload.store.getState().status !== 'done') upload.cancel();
  uploads.setState((list) => list.filter((other) => other !== upload), true);
}

/** The uploads to one version. */
function useUploads(modelId: string, version: string): readonly ResumableUpload[] {
  const all = useStore(uploads);
  return all.filter((upload) => upload.modelId === modelId && upload.version === version);
}
