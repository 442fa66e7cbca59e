import { dirname, join } from 'node:path';
import { files, listed, text } from './modules.ts';

/** A name that an entry of the library exports, and whether it has a comment where it is declared. */
export interface PublicName {
  readonly entry: string;
  readonly name: string;
  readonly file: string;
  readonly isDocumented: boolean;
}

const LIST = /^export (?:type )?\{([^}]*)\} from '([^']+)';/gm;
const ALL = /^export \* from '([^']+)';/gm;

/** Every name of every entry. Names that a module hands on are looked up where they are declared. */
export function publicNames(): readonly PublicName[] {
  return files
    .filter((file) => /^library\/\w+\.ts$/.test(file))
    .flatMap((file) => {
      const entry = file.replace(/^library\/(?:index)?/, 'spikegrid/').replace(/\/?\.ts$/, '');
      return exportsOf(file).map((one) => ({ entry, ...one }));
    });
}

function exportsOf(file: string): readonly Omit<PublicName, 'entry'>[] {
  const source = text.get(file) ?? '';
  const beside = (from: string) => join(dirname(file), from);
  const named = Array.from(source.matchAll(LIST), ([, list = '', from = '']) =>
    listed(list).map(([inside, name]) => ({ name, ...declarationOf(inside, beside(from)) })),
  );
  const passedOn = Array.from(source.matchAll(ALL), ([, from = '']) => exportsOf(beside(from)));
  return [...named, ...passedOn].flat();
}

function declarationOf(name: string, file: string): Pick<PublicName, 'file' | 'isDocumented'> {
  const source = text.get(file) ?? '';
  const handedOn = [...source.matchAll(LIST)].find(([, list = '']) =>
    listed(list).some(([, outside]) => outside === name),
  );
  if (handedOn) {
    const [, list = '', from = ''] = handedOn;
    const [inside = name] = listed(list).find(([, outside]) => outside === name) ?? [];
    return declarationOf(inside, join(dirname(file), from));
  }
  const kinds = '(?:abstract )?(?:async )?(?:const|function\\*?|class|interface|type)';
  const documented = new RegExp(`\\*/\\n(?:export )?${kinds} ${name}\\b`);
  return { file, isDocumented: documented.test(source) };
}
