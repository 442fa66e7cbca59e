import { useState, type DragEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { useModelsText } from '../models-text.ts';
import css from './Upload.module.css';

export interface FilesDropProps {
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files: dropped, or chosen in the browser's own dialog. */
export function FilesDrop({ onFiles }: FilesDropProps) {
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
