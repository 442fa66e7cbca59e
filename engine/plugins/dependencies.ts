import satisfies from 'semver/functions/satisfies.js';
import valid from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';

export const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && valid(value) === value.replace(/\+.*$/, '');

export const isRange = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && validRange(value) !== null;

/** Whether a version lies in a range such as `^1.2.0`, by npm's rules. */
export const isInRange = (version: string, range: string): boolean => satisfies(version, range);

interface Dependent {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface DependencyOrder {
  /** Names, each after all it depends on; without those that are refused. */
  readonly order: readonly string[];
  /** Why a plugin cannot run, by its name. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Orders plugins by their dependencies; ties preserve the given order. */
export function dependencyOrder(plugins: readonly Dependent[]): DependencyOrder {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const order = new Set<string>();
  const refused = new Map<string, string>();

  function visit(plugin: Dependent, path: readonly string[]): void {
    const { name, dependencies } = plugin;
    if (order.has(name) || refused.has(name)) return;
    const inner = [...path, name];
    for (const [on, range] of Object.entries(dependencies)) {
      const found = byName.get(on);
      const fault = faultOf(found, on, range);
      if (fault !== undefined) {
        refused.set(name, fault);
        return;
      }
      if (inner.includes(on)) {
        refuseCycle(inner.slice(inner.indexOf(on)), refused);
        return;
      }
      if (found) visit(found, inner);
      // It may have turned out to be in a cycle with its dependency.
      if (refused.has(name)) return;
      if (refused.has(on)) {
        refused.set(name, `it needs ${on}, which cannot run: ${refused.get(on)}`);
        return;
      }
    }
    order.add(name);
  }

  for (const plugin of plugins) visit(plugin, []);
  return { order: [...order], refused };
}

function faultOf(found: Dependent | undefined, name: string, range: string): string | undefined {
  if (!found) return `it needs ${name} ${range}, which is missing`;
  return isInRange(found.version, range)
    ? undefined
    : `it needs ${name} ${range}, but ${name} is ${found.version}`;
}

function refuseCycle(cycle: readonly string[], refused: Map<string, string>): void {
  for (const [i, name] of cycle.entries()) {
    const round = [...cycle.slice(i), ...cycle.slice(0, i), name];
    refused.set(name, `its dependencies run in a circle: ${round.join(' -> ')}`);
  }
}
