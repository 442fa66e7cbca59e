import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application, ReflectionKind } from 'typedoc';
import { entries } from './entries.mjs';
import { pageOf } from './reference-page.mjs';

const local = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes docs/reference: a page for each entry of the package, from its types and their comments. Throws where a
 * public name has no comment.
 */
export async function writeReference() {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ module }) => local(`../../library/${module}.ts`)),
    tsconfig: local('tsconfig.reference.json'),
    // Options of a function are types that no entry exports: they are shown where the function is.
    plugin: ['typedoc-plugin-missing-exports'],
    readme: 'none',
    excludeExternals: true,
    excludePrivate: true,
    excludeProtected: true,
    validation: { notExported: false, invalidLink: true, rewrittenLink: false },
    treatWarningsAsErrors: true,
    logLevel: 'Warn',
    sort: ['alphabetical'],
  });
  const project = await app.convert();
  if (!project) throw new Error('the entries of the library could not be read');
  app.validate(project);
  const modules = project.getChildrenByKind(ReflectionKind.Module);
  const pages = entries.map((one) => ({
    ...one,
    reflection: modules.find(({ name }) => name === one.module),
    about: aboutOf(one.module),
  }));
  const folder = local('../reference/');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const nameless = [];
  for (const page of pages) {
    writeFileSync(`${folder}${page.page}.md`, pageOf(page, pages, nameless));
  }
  writeFileSync(`${folder}index.md`, indexOf(pages));
  if (nameless.length > 0) throw new Error(`without a comment: ${nameless.join(', ')}`);
}

/** All names of all entries, each a link. */
function indexOf(pages) {
  const sections = pages.map(({ entry, page, reflection }) => {
    const names = publicNames(reflection).map((name) => `[\`${name}\`](./${page}.md#${name})`);
    return `## \`${entry}\`\n\n${names.join(' · ')}\n`;
  });
  return `# Reference\n\nEvery public name of the package, by the entry that exports it.\n\n${sections.join('\n')}`;
}

const publicNames = (reflection) =>
  reflection.children
    .filter(({ kind }) => kind !== ReflectionKind.Module)
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b, 'en'));

/** The comment at the head of an entry's module. */
function aboutOf(module) {
  const source = readFileSync(local(`../../library/${module}.ts`), 'utf8');
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? [];
  return comment.replaceAll(/^ *\* ?/gm, '').trim();
}
