import { useStore } from 'zustand';
import type { ResumableUpload, UploadState } from '../../../api/resumable-upload.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { useModelsText } from '../models-text.ts';
import { dropUpload } from './the-uploads.ts';
import css from './Upload.module.css';

const TONES: Readonly<Record<UploadState['status'], BadgeTone>> = {
  sending: 'neutral',
  paused: 'warn',
  waiting: 'warn',
  done: 'good',
  failed: 'bad',
};

/** One upload: how far it is, and its buttons. */
export function UploadRow({ upload }: { readonly upload: ResumableUpload }) {
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
