import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicNames } from './public-names.ts';

/**
 * The pages of docs/ without their generator: code that they include, links between them and to the names of the
 * reference, both languages, and a comment on every public name. Prints what is wrong, and fails.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const isFile = (file: string) =>
  existsSync(join(root, file)) && statSync(join(root, file)).isFile();

const pages = globSync(['*.md', '{design,programs,tutorials}/*.md', 'ja/**/*.md'], {
  cwd: join(root, 'docs'),
}).map((page) => `docs/${page}`);
const names = publicNames();

const faults = [
  ...pages.flatMap((page) => [...includesOf(page), ...linksOf(page)]),
  ...navigation(),
  ...untranslated(),
  ...otherCode(),
  ...unexplained(),
  ...names
    .filter(({ isDocumented }) => !isDocumented)
    .map(({ entry, name, file }) => `${entry}: ${name} of ${file} has no comment`),
  ...readmeOfLibrary(),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) console.error(`pages: ${faults.length} to mend`);
else console.log(`pages: ${pages.length} pages, ${names.length} public names`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Files and regions of `<<< @/../examples/…#region` that are not there. */
function includesOf(page: string): readonly string[] {
  return Array.from(read(page).matchAll(/^<<< @\/(\S+?)(?:#([\w-]+))?$/gm), (found) => {
    const [, path = '', region] = found;
    const file = normalize(join('docs', path));
    if (!isFile(file)) return `${page} includes ${file}, which is not there`;
    const hasRegion = region === undefined || read(file).includes(`// #region ${region}\n`);
    return hasRegion ? [] : `${page}: ${file} has no region ${region}`;
  }).flat();
}

function linksOf(page: string): readonly string[] {
  const prose = read(page).replaceAll(/^```[^]*?^```/gm, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) =>
    isAlive(page, link) ? [] : `${page} links to ${link}, which is not there`,
  ).flat();
}

function isAlive(page: string, link: string): boolean {
  if (/^(?:https?:|mailto:|#)/.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  const target = normalize(path.startsWith('/') ? `docs${path}` : join(dirname(page), path));
  const entry = /^docs\/reference\/(.*)\.md$/.exec(target)?.[1]?.replace('-', '/');
  if (entry === 'index') return true;
  if (entry === undefined) return existsSync(join(root, target));
  return names.some((one) => one.entry === entry && (!anchor || one.name === anchor));
}

/** Pages that the navigation lists and docs/ has not; those of the reference are made. */
function navigation(): readonly string[] {
  const file = 'docs/site/.vitepress/pages.mjs';
  const links = Array.from(read(file).matchAll(/link: '\/([\w/-]+)'/g), ([, link = '']) => link);
  return links
    .filter((link) => !link.startsWith('reference/') && !isFile(`docs/${link}.md`))
    .map((link) => `${file} lists ${link}, which is not there`);
}

/** Programs, tutorials and the quickstart are there in Japanese as well. */
function untranslated(): readonly string[] {
  return pages
    .filter((page) => /^docs\/(programs\/|tutorials\/|quickstart)/.test(page))
    .map((page) => page.replace('docs/', 'docs/ja/'))
    .filter((page) => !isFile(page))
    .map((page) => `${page} is missing: it is there in English`);
}

/** Japanese pages whose code or includes are not those of the English page. */
function otherCode(): readonly string[] {
  return pages
    .filter((page) => page.startsWith('docs/ja/'))
    .filter((page) => codeOf(page) !== codeOf(page.replace('docs/ja/', 'docs/')))
    .map((page) => `${page} shows other code than the English page`);
}

/** Blocks of code and includes; what a program prints may be put in words. */
function codeOf(page: string): string {
  return (read(page).match(/^```(?!text)\w+[^]*?^```|^<<<.*$/gm) ?? []).join('\n');
}

/** Examples of the library that no page shows. */
function unexplained(): readonly string[] {
  const shown = pages.map(read).join('\n');
  return globSync('examples/*/main.js', { cwd: root })
    .filter((file) => !shown.includes(`<<< @/../${file}`))
    .map((file) => `${file} is shown by no page`);
}

/** The README that the package has stands outside the guide, and shows the same program. */
function readmeOfLibrary(): readonly string[] {
  const [, code = ''] = /^```js\n([^]*?)^```/m.exec(read('library/README.md')) ?? [];
  const file = 'examples/quickstart/main.js';
  return code === read(file) ? [] : [`library/README.md shows another program than ${file}`];
}
