/** So many events are shown. */
export const EVENT_LINES = 8;
/** The room of one, in rem; EventsPanel.module.css has it, too. */
export const EVENT_LINE_REM = 2.25;
