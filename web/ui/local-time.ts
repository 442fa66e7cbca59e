/** As the browser's field for local dates and times has it, and back. */
export function toLocalInput(at: string): string {
  if (at === '') return '';
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

export const fromLocalInput = (written: string): string =>
  written === '' ? '' : new Date(written).toISOString();
