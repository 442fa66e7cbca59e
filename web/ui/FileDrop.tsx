import { useState, type DragEvent } from 'react';
import { classNames } from './class-names.ts';
import { chosenFiles, droppedFiles, type PlacedFile } from './dropped-files.ts';
import css from './FileDrop.module.css';
import { Icon } from './Icon.tsx';

interface FileDropProps {
  /** Text of the link that opens the browser's file dialog. */
  readonly choose: string;
  /** That it may be dropped, too. */
  readonly hint: string;
  readonly onFiles: (files: readonly PlacedFile[]) => void;
}

/** Takes files and folders: dropped, or chosen in the browser's own dialog. */
export function FileDrop({ choose, hint, onFiles }: FileDropProps) {
  const [over, setOver] = useState<'over' | 'away'>('away');

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver('away');
    void droppedFiles(event.dataTransfer).then(onFiles);
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
      <span className={css['choose']}>{choose}</span>
      <span>{hint}</span>
      <input
        className="visually-hidden"
        type="file"
        multiple
        onChange={(event) => {
          onFiles(chosenFiles(event.target.files));
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </label>
  );
}
