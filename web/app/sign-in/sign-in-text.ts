import { createScreenText } from '../../i18n/screen-text.ts';
import { enSignIn } from './words/en-sign-in.ts';
import { jaSignIn } from './words/ja-sign-in.ts';

/** Everything that is written about signing in. */
export const useSignInText = createScreenText<typeof enSignIn>({ en: enSignIn, ja: jaSignIn });
