import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Filename } from '../../../../edge/registry/contract/model-file.ts';
import type { ModelDetails } from '../../../../edge/registry/contract/model.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { useModelsText } from '../models-text.ts';
import { FilesDrop } from './FilesDrop.tsx';
import { addUpload, useUploads } from './the-uploads.ts';
import css from './Upload.module.css';
import { UploadRow } from './UploadRow.tsx';

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
