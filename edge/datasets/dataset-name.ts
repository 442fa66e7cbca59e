import { DatasetName } from './contract/dataset.ts';
import { Problem } from '../http/problem.ts';

type Named = { readonly params: { readonly name: string } };

/** The name in the path of a data set that is to be. @throws Problem invalid_parameter */
export function requireName({ params: { name } }: Named): DatasetName {
  const parsed = DatasetName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new Problem('invalid_parameter', unlikely(name, parsed.error.issues[0]?.message));
}

/** As `requireName`; one that no dataset can have is answered like one that none has. */
export function nameIn({ params: { name } }: Named): DatasetName {
  const parsed = DatasetName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new Problem('dataset_not_found', unlikely(name, parsed.error.issues[0]?.message));
}

const unlikely = (name: string, why: string | undefined) =>
  `No dataset can be named ${JSON.stringify(name.slice(0, 128))}: ${why}.`;
