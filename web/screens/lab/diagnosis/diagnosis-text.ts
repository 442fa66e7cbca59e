import { createScreenText } from '../../../i18n/screen-text.ts';
import { enDiagnosis } from './en-diagnosis.ts';
import { jaDiagnosis } from './ja-diagnosis.ts';

/** The words of the diagnosis, which come with its chunk. */
export const useDiagnosisText = createScreenText<typeof enDiagnosis>({
  en: enDiagnosis,
  ja: jaDiagnosis,
});
