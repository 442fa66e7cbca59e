import type { datasetUploadEndpoints, uploadEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const tus = { 'tus-resumable': '1.0.0' };
const chunk = { 'application/offset+octet-stream': 'test' };

/** The same requests for every kind of resource that is uploaded so. */
const examplesOf = <Resource extends Readonly<Record<string, string>>>(
  resource: Resource,
  upload: { readonly upload: string },
  metadata: string,
) =>
  ({
    describeUploads: { params: resource, answers: { 204: null } },
    createUpload: {
      params: resource,
      body: chunk,
      requestHeaders: {
        ...tus,
        'upload-length': '8',
        'upload-metadata': metadata,
      },
      answers: { 201: null },
      headers: { 201: ['Location', 'Tus-Resumable'] },
    },
    showUpload: {
      params: { ...resource, ...upload },
      requestHeaders: tus,
      answers: { 200: null },
      headers: { 200: ['Upload-Offset', 'Upload-Length', 'Tus-Resumable'] },
    },
    continueUpload: {
      params: { ...resource, ...upload },
      body: chunk,
      requestHeaders: { ...tus, 'upload-offset': '4' },
      answers: { 204: null },
      headers: { 204: ['Upload-Offset', 'Tus-Resumable'] },
    },
    overrideUpload: {
      params: { ...resource, ...upload },
      body: chunk,
      requestHeaders: { ...tus, 'x-http-method-override': 'HEAD' },
      answers: { 200: null, 204: null },
    },
    endUpload: {
      params: { ...resource, ...upload },
      requestHeaders: tus,
      answers: { 204: null },
      headers: { 204: ['Tus-Resumable'] },
    },
  }) as const;

export const uploadExamples: ExamplesOf<typeof uploadEndpoints> = examplesOf(
  { id: 'tiny' },
  { upload: '01JD4XQ2T5W8Z3B6C9E0F2G4H7' },
  'filename dG9rZW5pemVyLmpzb24=,version MS4wLjA=',
);

export const datasetUploadExamples: ExamplesOf<typeof datasetUploadEndpoints> = examplesOf(
  { name: 'tides' },
  { upload: '01JD4XQ2T5W8Z3B6C9E0F2G4H8' },
  'filetype dGV4dC9wbGFpbg==',
);
