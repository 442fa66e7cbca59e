import type { uploadEndpoints } from '../../contract/upload-endpoints.ts';
import type { ExamplesOf } from '../description.ts';

const upload = { id: 'tiny', upload: '01JD4XQ2T5W8Z3B6C9E0F2G4H7' };
const tus = { 'tus-resumable': '1.0.0' };
const chunk = { 'application/offset+octet-stream': 'test' };

export const uploadExamples: ExamplesOf<typeof uploadEndpoints> = {
  describeUploads: { params: { id: upload.id }, answers: { 204: null } },
  createUpload: {
    params: { id: upload.id },
    body: chunk,
    requestHeaders: {
      ...tus,
      'upload-length': '8',
      'upload-metadata': 'filename dG9rZW5pemVyLmpzb24=,version MS4wLjA=',
    },
    answers: { 201: null },
    headers: { 201: ['Location', 'Tus-Resumable'] },
  },
  showUpload: {
    params: upload,
    requestHeaders: tus,
    answers: { 200: null },
    headers: { 200: ['Upload-Offset', 'Upload-Length', 'Tus-Resumable'] },
  },
  continueUpload: {
    params: upload,
    body: chunk,
    requestHeaders: { ...tus, 'upload-offset': '4' },
    answers: { 204: null },
    headers: { 204: ['Upload-Offset', 'Tus-Resumable'] },
  },
  overrideUpload: {
    params: upload,
    body: chunk,
    requestHeaders: { ...tus, 'x-http-method-override': 'HEAD' },
    answers: { 200: null, 204: null },
  },
  endUpload: {
    params: upload,
    requestHeaders: tus,
    answers: { 204: null },
    headers: { 204: ['Tus-Resumable'] },
  },
};
