import { spawnSync } from 'node:child_process';

/** A network of its own for processes, joined to this machine by one cable that can be pulled. */
export interface NetNamespace extends Disposable {
  /** How this machine is reached from inside. */
  readonly hostAddress: string;
  /** The command prefix that runs a command inside. */
  readonly wrapper: readonly string[];
  /** Drops packets from now on, in both directions and silently. */
  pull(): void;
  plug(): void;
}

function ip(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}

/**
 * Whether namespaces may be made: `npm run test:full` runs the tests that want one after the others, as a new
 * interface breaks what browsers beside them load. It takes root and iproute2.
 */
export function hasNetNamespaces(): boolean {
  if (process.env['SPIKEGRID_NETNS'] !== '1') return false;
  const name = `spikegrid-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false;
  ip('netns', 'del', name);
  return true;
}

export function openNetNamespace(): NetNamespace {
  const name = `spikegrid-${process.pid}`;
  // Names of interfaces have 15 characters at most.
  const [outer, inner] = [`sgo${process.pid}`, `sgi${process.pid}`];
  const network = `10.231.${process.pid % 256}`;
  const inside = (...args: readonly string[]) => ip('netns', 'exec', name, 'ip', ...args);
  ip('netns', 'add', name);
  const remove = () => ip('netns', 'del', name);
  try {
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
    ip('address', 'add', `${network}.1/30`, 'dev', outer);
    inside('address', 'add', `${network}.2/30`, 'dev', inner);
    ip('link', 'set', outer, 'up');
    inside('link', 'set', 'lo', 'up');
    inside('link', 'set', inner, 'up');
  } catch (error) {
    remove();
    throw error;
  }
  return {
    hostAddress: `${network}.1`,
    wrapper: ['ip', 'netns', 'exec', name],
    // The outer end stays up, so what is sent to the inside is lost on the way.
    pull: () => inside('link', 'set', inner, 'down'),
    plug: () => inside('link', 'set', inner, 'up'),
    [Symbol.dispose]: remove,
  };
}
