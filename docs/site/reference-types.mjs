import { makeRecursiveVisitor, ReflectionKind } from 'typedoc';

const MAX_LINE = 88;

const spelled = (type) => (type ? String(type).replaceAll('<ArrayBufferLike>', '') : 'unknown');

/** `name(parameters): result`, on a line of its own each where it is long. */
export function signatureOf(name, { parameters = [], typeParameters, type }) {
  const given = parameters.map(parameterOf);
  const generic = typeParameters ? `<${typeParameters.map((one) => one.name).join(', ')}>` : '';
  const line = `${name}${generic}(${given.join(', ')}): ${spelled(type)}`;
  if (line.length <= MAX_LINE) return line;
  return `${name}${generic}(\n${given.map((one) => `  ${one},\n`).join('')}): ${spelled(type)}`;
}

/** The name of a parameter; one that is taken apart where it is declared is called by its type. */
export function nameOf({ name, type }) {
  if (name !== '__namedParameters') return name;
  const isPublic = type?.reflection && type.reflection.parent.name !== '<internal>';
  return !isPublic || type.name.endsWith('Options')
    ? 'options'
    : type.name.charAt(0).toLowerCase() + type.name.slice(1);
}

function parameterOf(parameter) {
  const { type, flags, defaultValue } = parameter;
  const shown = nameOf(parameter);
  const isOptional = flags.isOptional || defaultValue !== undefined;
  return `${flags.isRest ? '...' : ''}${shown}${isOptional ? '?' : ''}: ${spelled(type)}`;
}

/** The head of a class, an interface, a type or a value. */
export function declaredType(member) {
  const { name, type } = member;
  if (member.kindOf(ReflectionKind.Class)) return `class ${name}${extended(member)}`;
  if (member.kindOf(ReflectionKind.Interface)) return `interface ${name}${extended(member)}`;
  if (member.kindOf(ReflectionKind.TypeAlias)) return `type ${name} = ${alternatives(type)}`;
  return `const ${name}: ${spelled(type)}`;
}

const extended = ({ extendedTypes }) =>
  extendedTypes?.length ? ` extends ${extendedTypes.map(spelled).join(', ')}` : '';

/** Members of a long union on lines of their own. */
function alternatives(type) {
  const line = spelled(type);
  if (line.length <= MAX_LINE || type.type !== 'union') return line;
  return type.types.map((one) => `\n  | ${spelled(one)}`).join('');
}

/** A field or a method of a type, on one line. */
export function fieldSignature(member) {
  const { name, flags, type } = member;
  const call = callOf(member);
  if (call) return signatureOf(name, call).replaceAll(/\s*\n\s*/g, ' ');
  return `${name}${flags.isOptional ? '?' : ''}: ${spelled(type ?? member.getSignature?.type)}`;
}

/** The signature of a method, or of a property that is a function and always there. */
function callOf({ flags, signatures, type }) {
  if (signatures) return signatures[0];
  return flags.isOptional ? undefined : type?.declaration?.signatures?.[0];
}

/** Names of the types that a declaration mentions. */
export function typesIn(reflection) {
  const names = [];
  const visitor = makeRecursiveVisitor({
    reference: (type) => names.push(type.name),
    reflection: ({ declaration }) => visit(declaration),
  });
  const visit = ({ type, parameters = [], children = [], signatures = [], extendedTypes = [] }) => {
    type?.visit(visitor);
    for (const one of extendedTypes) one.visit(visitor);
    for (const one of [...parameters, ...children, ...signatures]) visit(one);
  };
  visit(reflection);
  return names;
}
