import { EngineError } from '../errors.ts';
import type { Layer, PlacedLayer, Shape, Site } from './layer.ts';

interface Where {
  readonly input: Shape;
  readonly steps: number;
  /** The layer that they are part of. */
  readonly inside?: Site;
}

/** A layer with the name that its parameters, messages and records have. */
export interface NamedLayer extends PlacedLayer {
  readonly kind: string;
  readonly site: Site;
  readonly input: Shape;
}

/** Has each layer check the shape of the one in front. Throws EngineError that names the layer. */
export function placeLayers(
  layers: readonly Layer[],
  { input, steps, inside }: Where,
): { readonly placed: readonly NamedLayer[]; readonly output: Shape } {
  const names = new Set<string>();
  let shape = input;
  const placed = layers.map((layer, index) => {
    const site = siteOf(layer, { index, steps, inside });
    // A linear layer and its neurons may share a name, two linear layers may not.
    const called = `${layer.kind} ${site.name}`;
    if (names.has(called)) {
      throw new EngineError('invalid-structure', `${site.title}: another layer has its name`);
    }
    names.add(called);
    const one = { ...layer.place(shape, site), kind: layer.kind, site, input: shape };
    shape = one.output;
    return one;
  });
  return { placed, output: shape };
}

interface Place {
  readonly index: number;
  readonly steps: number;
  readonly inside: Site | undefined;
}

function siteOf(layer: Layer, { index, steps, inside }: Place): Site {
  if (typeof layer?.place !== 'function') {
    throw new EngineError(
      'invalid-structure',
      `layer ${index} is ${JSON.stringify(layer) ?? String(layer)}: expected a layer, such as linear(10)`,
    );
  }
  const own = ownName(layer, index);
  const local = own ?? `${index}`;
  const called = own === undefined ? '' : ` "${own}"`;
  return {
    name: inside ? `${inside.name}.${local}` : local,
    title: `layer ${index} (${layer.kind}${called})${inside ? ` of ${inside.title}` : ''}`,
    steps,
  };
}

function ownName({ kind, options }: Layer, index: number): string | undefined {
  const name = options['name'];
  if (name === undefined) return undefined;
  if (typeof name === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(name)) return name;
  throw new EngineError(
    'invalid-setting',
    `layer ${index} (${kind}): its name is ${JSON.stringify(name)}: expected up to 64 letters, digits, dots, _ and -`,
  );
}
