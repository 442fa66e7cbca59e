import { oneOf, text } from '../../url-state/fields.ts';

/** The address state of the sweeps. */
export const FIELDS = {
  /** The sweep that is shown; the list where it is empty. */
  sweep: text('', 128),
  /** Whether the form for a new one is open. */
  form: oneOf('', ['', 'open']),
};
