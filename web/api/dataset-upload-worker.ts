import { ProblemError } from '../../edge/contract/problem-error.ts';
import { sendDataset } from '../../trainer/send-dataset.ts';
import type { FromUpload, ToUpload } from './dataset-upload.ts';

/** Hashes and sends one file apart from the page: its digests would delay frames there. */
const post = (message: FromUpload) => self.postMessage(message, { transfer: [] });

const onProgress = (sent: number) => post({ kind: 'progress', sent });

self.addEventListener('message', ({ data }: MessageEvent<ToUpload>) => {
  const { address, name, file } = data;
  const contentType = file.type || 'text/plain';
  sendDataset(address, { name, file, contentType, onProgress }).then(
    () => post({ kind: 'done' }),
    (error: unknown) =>
      post(
        error instanceof ProblemError
          ? { kind: 'refused', problem: error.problem }
          : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
      ),
  );
});
