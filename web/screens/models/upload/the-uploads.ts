import { createStore, useStore } from 'zustand';
import {
  startUpload,
  type ResumableUpload,
  type UploadTarget,
} from '../../../api/resumable-upload.ts';

/** The uploads of this tab: they go on while one looks at other screens. */
const uploads = createStore<readonly ResumableUpload[]>(() => []);

/** @param onDone called when the registry has the whole file */
export function addUpload(target: UploadTarget, onDone: () => void): void {
  const upload = startUpload(target);
  upload.store.subscribe(({ status }, before) => {
    if (status === 'done' && before.status !== 'done') onDone();
  });
  uploads.setState((list) => [...list, upload], true);
}

/** Takes an upload off the list; one that is not complete is given up. */
export function dropUpload(upload: ResumableUpload): void {
  if (upload.store.getState().status !== 'done') upload.cancel();
  uploads.setState((list) => list.filter((other) => other !== upload), true);
}

/** The uploads to one version. */
export function useUploads(modelId: string, version: string): readonly ResumableUpload[] {
  const all = useStore(uploads);
  return all.filter((upload) => upload.modelId === modelId && upload.version === version);
}
