import program from '../cli/program.build.ts';
import { page } from '../shared/http/page.ts';
import { pages } from '../shared/pages.ts';

export const handler = page(pages.showCommandLine, () => program);
