/**
 * The icons: strokes of one width on a 24 by 24 grid, as SVG path data. `tests/web/ui/icons.test.ts`
 * holds each to that grid.
 */
export const ICONS = {
  check: 'M5 12.5 10 17.5 19 7',
  close: 'M6 6 18 18 M18 6 6 18',
  chevron: 'M7 10 12 15 17 10',
  copy: 'M9 9H20V20H9Z M5 15H4V4H15V5',
  dark: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5Z',
  download: 'M12 4V15 M7 10.5 12 15.5 17 10.5 M5 20H19',
  empty: 'M4 14 7 5H17L20 14V19H4Z M4 14H9C9 17 15 17 15 14H20',
  error: 'M12 4 21 19.5H3Z M12 10V14 M12 16.8V17',
  lab: 'M3 15C6 15 7.5 13.5 9 10L10.5 4 12.5 20 14 15H21',
  light:
    'M12 8A4 4 0 1 0 12 16 4 4 0 1 0 12 8Z M12 2V4 M12 20V22 M2 12H4 M20 12H22 M5 5 6.3 6.3 M17.7 17.7 19 19 M5 19 6.3 17.7 M17.7 6.3 19 5',
  menu: 'M4 7H20 M4 12H20 M4 17H20',
  models: 'M12 3 20 7.5 12 12 4 7.5Z M4 12 12 16.5 20 12 M4 16.5 12 21 20 16.5',
  next: 'M10 7 15 12 10 17',
  open: 'M3 19V6H9.5L12 8.5H20V11 M3 19 6 11H22L19 19Z',
  overview: 'M4 18A9 9 0 1 1 20 18 M12 14.5 16 9 M4 18H7 M17 18H20',
  pause: 'M8 5V19 M16 5V19',
  play: 'M7 5 19 12 7 19Z',
  previous: 'M14 7 9 12 14 17',
  reset: 'M5 4.5V10.5H11 M5.6 10.5A7.5 7.5 0 1 1 5.2 15',
  retry: 'M19 12A7 7 0 1 1 16.5 6.6 M17 3V7H13',
  search: 'M11 5A6 6 0 1 0 11 17 6 6 0 1 0 11 5Z M15.5 15.5 20 20',
  save: 'M5 4H16L20 8V20H4V5 M8 4V9H15V4 M8 20V14H16V20',
  settings: 'M4 7H11 M15 7H20 M13 5V9 M4 17H7 M11 17H20 M9 15V19 M4 12H16 M20 12H20.1 M18 10V14',
  step: 'M6 5 14.5 12 6 19Z M18 5V19',
  stop: 'M6 6H18V18H6Z',
  system: 'M4 5H20V16H4Z M9 20H15 M12 16V20',
  table: 'M4 5H20V19H4Z M4 10H20 M4 14.5H20 M10 5V19',
  upload: 'M12 15.5V4.5 M7 9.5 12 4.5 17 9.5 M5 20H19',
  write: 'M4 20 5 15.5 16 4.5 19.5 8 8.5 19Z M13.5 7 17 10.5',
  plot: 'M4 4V20H20 M7 15 11 10 14 13 19 7',
} as const;

export type IconName = keyof typeof ICONS;
