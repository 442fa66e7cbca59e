import fc from 'fast-check';
import {
  type FieldKind,
  type NirGraph,
  type NirNode,
  type NirTensor,
  type PrimitiveName,
  primitiveNames,
  primitives,
  text,
  type TreeEntry,
} from '../../engine/nir/graph.ts';

const counts = fc.integer({ min: 0, max: 9 });
const anyPair = fc.tuple(counts, counts);
const anyText = fc.constantFrom('same', 'valid');

/** Any numbers, infinities and NaN among them: a file may hold them. */
const anyTensor: fc.Arbitrary<NirTensor> = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
    fc.boolean(),
    fc.infiniteStream(fc.double()),
  )
  .map(([shape, isSingle, values]) => {
    const size = shape.reduce((product, axis) => product * axis, 1);
    const numbers = Array.from({ length: size }, () => values.next().value as number);
    return { shape, data: isSingle ? Float32Array.from(numbers) : Float64Array.from(numbers) };
  });

const fields: Readonly<Record<FieldKind, fc.Arbitrary<unknown>>> = {
  tensor: anyTensor,
  number: fc.integer({ min: -3, max: 9 }),
  pair: anyPair,
  shape: fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 }),
  padding: fc.oneof(counts, anyText),
  pairPadding: fc.oneof(anyPair, anyText),
};

const anyMetadata = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,8}$/),
  fc.oneof(
    fc.string().map((value): TreeEntry => text(value.replaceAll('\0', ''))),
    fc.double().map((value): TreeEntry => ({ shape: [], data: Float64Array.of(value) })),
    fc
      .array(fc.double(), { minLength: 1, maxLength: 4 })
      .map((values): TreeEntry => ({ shape: [values.length], data: Float64Array.from(values) })),
  ),
  { minKeys: 1, maxKeys: 3 },
);

function anyPrimitive(type: PrimitiveName): fc.Arbitrary<NirNode> {
  const kinds = Object.entries(primitives[type]) as [string, string][];
  const required = kinds.filter(([, kind]) => !kind.endsWith('?')).map(([name]) => name);
  const model = Object.fromEntries(
    kinds.map(([name, kind]) => [name, fields[kind.replace('?', '') as FieldKind]]),
  );
  const all: Record<string, fc.Arbitrary<unknown>> = {
    ...model,
    metadata: anyMetadata.map((one) => new Map(Object.entries(one))),
  };
  const record = fc.record(all, { requiredKeys: required });
  // The table says what each field of the type holds.
  return record.map((drawn) => ({ type, ...drawn }) as unknown as NirNode);
}

const anyName = fc.stringMatching(/^[a-zA-Z0-9_.é漢 -]{1,12}$/).filter((name) => name !== '.');

/** Any graph that a file can hold, whether it makes sense or not, with graphs in it. */
export const anyNirGraph: fc.Arbitrary<NirGraph> = fc.letrec<{ graph: NirGraph; node: NirNode }>(
  (tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      ...primitiveNames.map(anyPrimitive),
      tie('graph'),
    ),
    graph: fc
      .tuple(
        fc.dictionary(anyName, tie('node'), { maxKeys: 5 }),
        fc.array(fc.tuple(anyName, anyName), { maxLength: 6 }),
      )
      .map(([nodes, edges]) => ({
        type: 'NIRGraph',
        nodes: new Map(Object.entries(nodes)),
        edges,
      })),
  }),
).graph;
