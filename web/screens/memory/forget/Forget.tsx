import type { ChangeMemoryFields, MemoryFields } from '../memory-fields.ts';
import { ForgetNamespace } from './ForgetNamespace.tsx';
import { ForgetUser } from './ForgetUser.tsx';

export interface ForgetProps {
  readonly fields: MemoryFields;
  readonly onChange: ChangeMemoryFields;
}

/** Deletes what is remembered of a user, or a namespace with all that is in it. */
export function Forget(props: ForgetProps) {
  return (
    <>
      <ForgetUser {...props} />
      <ForgetNamespace {...props} />
    </>
  );
}
