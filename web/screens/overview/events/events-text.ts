import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { enEvents } from './words/en-events.ts';
import { jaEvents } from './words/ja-events.ts';

export type EventsText = ScreenText<typeof enEvents>;

/** Everything that the overview says of events. */
export const useEventsText = createScreenText<typeof enEvents>({ en: enEvents, ja: jaEvents });
