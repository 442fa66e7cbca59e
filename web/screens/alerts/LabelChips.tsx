import type { Labels } from '../../../edge/alerts/contract/alert-matcher.ts';
import css from './Alerts.module.css';

/** Labels as name=value, each in a frame. */
export function LabelChips({ labels }: { readonly labels: Labels }) {
  return (
    <ul className={css['chips']}>
      {Object.entries(labels).map(([name, value]) => (
        <li key={name} className={css['chip']}>
          {`${name}=${value}`}
        </li>
      ))}
    </ul>
  );
}
