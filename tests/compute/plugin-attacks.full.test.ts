import { describe } from 'vitest';
import { confinementFault } from '../../compute/plugins/sandbox.ts';
import { MESSAGES, misbehave } from './plugin-attacks.ts';

const fault = await confinementFault();

describe.skipIf(fault !== undefined)('a plugin in a process (needs namespaces)', () => {
  misbehave(['node'], MESSAGES);
});
