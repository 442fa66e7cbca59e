import { MEMORY_KEY } from '../../api/memory.ts';
import { type ChangeOptions, useChange } from '../../app/use-change.ts';

/** Changes what is remembered, says so, and asks for all of it again. */
export const useMemoryChange = <In = void, Out = void>(options: ChangeOptions<In, Out>) =>
  useChange(MEMORY_KEY, options);
