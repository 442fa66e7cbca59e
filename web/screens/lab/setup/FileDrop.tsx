import { useId, useState, type DragEvent } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { useLabText } from '../lab-text.ts';
import css from './Setup.module.css';

export interface FileDropProps {
  readonly hint: string;
  /** One file where it is left out. */
  readonly takes?: 'several';
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files: dropped, or chosen in the browser's own dialog. */
export function FileDrop({ hint, takes, onFiles }: FileDropProps) {
  const { t } = useLabText();
  const id = useId();
  const [over, setOver] = useState<'over' | 'away'>('away');
  const take = (files: FileList | null) => {
    const chosen = [...(files ?? [])];
    if (chosen.length > 0) onFiles(takes === 'several' ? chosen : chosen.slice(0, 1));
  };

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver('away');
    take(event.dataTransfer.files);
  }

  return (
    <div className={css['field']}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the input takes files by keyboard */}
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
        <span className={css['dropButton']}>
          {t(takes === 'several' ? 'setup.filesButton' : 'setup.fileButton')}
        </span>
        <span>{t('setup.fileDrop')}</span>
        <input
          className="visually-hidden"
          type="file"
          multiple={takes === 'several'}
          aria-describedby={id}
          onChange={(event) => take(event.target.files)}
        />
      </label>
      <p id={id} className={css['hint']}>
        {hint}
      </p>
    </div>
  );
}
