import program from '../cli/program.build.ts';
import { pages } from '../shared/api/non-api-routes.ts';
import { page } from '../shared/platform/http/non-api-endpoint.ts';

export const handler = page(pages.showCommandLine, () => program);
