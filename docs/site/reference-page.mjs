import { ReflectionKind } from 'typedoc';
import { textOf } from './reference-text.mjs';
import { declaredType, fieldSignature, nameOf, signatureOf, typesIn } from './reference-types.mjs';

const GROUPS = [
  ['Functions', ReflectionKind.Function],
  ['Classes', ReflectionKind.Class],
  ['Values', ReflectionKind.Variable],
  ['Types', ReflectionKind.Interface | ReflectionKind.TypeAlias],
  ['Also exported here', ReflectionKind.Reference],
];

/**
 * The page of an entry, as Markdown. Names without a comment are added to `nameless`.
 *
 * @param {{ entry: string, page: string, about: string, reflection: import('typedoc').DeclarationReflection }} page
 * @param {readonly { page: string, reflection: import('typedoc').DeclarationReflection }[]} pages
 * @param {string[]} nameless
 */
export function pageOf({ entry, page, about, reflection }, pages, nameless) {
  const context = {
    /** Markdown of a public name, in this entry if it has it, else in the first that does. */
    link(name) {
      const has = (one) => one.reflection.children.some((child) => child.name === name);
      const home = [pages.find((one) => one.page === page), ...pages].find(has);
      if (!home) return undefined;
      return `[\`${name}\`](${home.page === page ? '' : `./${home.page}.md`}#${name})`;
    },
    comment(owner, of) {
      const text = textOf(of, context.link);
      if (text === '') nameless.push(`${entry} ${owner}`);
      return text;
    },
  };
  const groups = GROUPS.map(([title, kind]) => {
    const members = reflection.children.filter((child) => child.kindOf(kind));
    if (members.length === 0) return '';
    const sections = members.map((member) => section(member, context));
    return `## ${title}\n\n${sections.join('\n\n')}`;
  });
  return [
    `# \`${entry}\``,
    about,
    `\`\`\`js\nimport { … } from '${entry}';\n\`\`\``,
    ...groups.filter((text) => text !== ''),
    '',
  ].join('\n\n');
}

function section(member, context) {
  const heading = `### ${member.name} {#${member.name}}`;
  return [heading, ...bodyOf(member, context)].filter((part) => part !== '').join('\n\n');
}

function bodyOf(member, context) {
  if (member.kindOf(ReflectionKind.Reference)) return [sameAs(member, context)];
  if (member.signatures) return member.signatures.flatMap((one) => callBody(one, context));
  const code = `\`\`\`ts\n${declaredType(member)}\n\`\`\``;
  const members = member.children ?? member.type?.declaration?.children ?? [];
  const text = context.comment(member.name, member.comment);
  return [code, text, fields(members, context), seeAlso(typesIn(member), member.name, context)];
}

function sameAs(member, context) {
  const target = member.tryGetTargetReflectionDeep();
  const home = context.link(target?.name ?? member.name);
  return `The same as ${home} of \`${moduleOf(target)}\`.`;
}

function moduleOf(reflection) {
  let at = reflection;
  while (at && !at.kindOf(ReflectionKind.Module)) at = at.parent;
  return at?.name === 'index' ? 'spikegrid' : `spikegrid/${at?.name}`;
}

function callBody(signature, context) {
  const { name, parameters = [] } = signature;
  const options = parameters.flatMap((parameter) => optionsOf(parameter, context));
  const given = parameters.flatMap(({ type }) => fieldsOf(type, context));
  return [
    `\`\`\`ts\n${signatureOf(name, signature)}\n\`\`\``,
    context.comment(name, signature.comment),
    ...options,
    seeAlso([signature, ...given].flatMap(typesIn), name, context),
  ];
}

/** Fields of a parameter whose type no entry exports, or that is written where it is used. */
function optionsOf(parameter, context) {
  const name = nameOf(parameter);
  const members = fieldsOf(parameter.type, context);
  if (members.length > 0) return [`Fields of \`${name}\`:`, fields(members, context)];
  const described = textOf(parameter.comment, context.link);
  return described === '' ? [] : [`\`${name}\`: ${described}`];
}

function fieldsOf(type, context) {
  const target = type?.reflection ?? narrowed(type);
  if (!target) return childrenOf(type);
  return context.link(target.name) ? [] : (target.children ?? childrenOf(target.type));
}

const childrenOf = (type) => type?.declaration?.children ?? [];

/** The type that `Omit` and `Pick` take fields of. */
const narrowed = (type) =>
  ['Omit', 'Pick', 'Partial'].includes(type?.name)
    ? type.typeArguments?.[0]?.reflection
    : undefined;

function fields(members, context) {
  return members
    .filter(({ flags, kind }) => !flags.isPrivate && kind !== ReflectionKind.Constructor)
    .map((member) => {
      const text = textOf(member.comment ?? member.signatures?.[0]?.comment, context.link);
      const head = `- \`${fieldSignature(member)}\``;
      return text === '' ? head : `${head}\n\n  ${text.replaceAll('\n', '\n  ')}\n`;
    })
    .join('\n');
}

function seeAlso(names, own, context) {
  const links = names.filter((name) => name !== own).flatMap((name) => context.link(name) ?? []);
  return links.length === 0 ? '' : `See ${[...new Set(links)].join(', ')}.`;
}
