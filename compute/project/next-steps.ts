import type { NewProject } from './new-project.ts';

/** Tells what was made and what to type now. */
export const nextSteps = ({ name, template }: NewProject): string =>
  `made ${name} from the template ${template}; now\n` +
  `  cd ${name}\n  npm install\n  npm start        the page\n` +
  '  npm run train    trains and stores the model that the page then opens\n  npm test';
