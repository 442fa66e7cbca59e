import { classNames } from '../../ui/class-names.ts';
import css from './ApiDocs.module.css';

const KINDS: Readonly<Record<string, string>> = {
  GET: 'reads',
  HEAD: 'reads',
  OPTIONS: 'reads',
  DELETE: 'removes',
};

/** The method of an operation; what it does to things is in its colour too, the word says the rest. */
export function MethodBadge({ method }: { readonly method: string }) {
  return (
    <span className={classNames(css['method'], css[KINDS[method] ?? 'changes'])}>{method}</span>
  );
}
