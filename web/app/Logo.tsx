import css from './Logo.module.css';

/** The mark: a membrane potential on its way up, its spike, and the threshold it crosses. */
export function Logo() {
  return (
    <svg className={css['mark']} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={css['plate']} width="32" height="32" rx="7" />
      <path className={css['threshold']} d="M4 10.5h5m14 0h5" />
      <path className={css['trace']} d="M4 21c4-.3 6.5-2.5 9-7.5L15 5l2.5 22c.5-3 2.5-5.5 10.5-6" />
    </svg>
  );
}
