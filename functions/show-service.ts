import packageJson from '../package.json' with { type: 'json' };
import { type Page, pages } from '../shared/api/non-api-routes.ts';
import * as routes from '../shared/api/routes.ts';
import type { ServiceInfo } from '../shared/api/schemas/service.ts';
import { areTokensRequired } from '../shared/api/settings/env.ts';
import { readTrustedIssuers } from '../shared/api/settings/trusted-issuers.ts';
import { tokens } from '../shared/platform/auth/tokens.ts';
import { leadingEndpoint } from '../shared/platform/http/leading-endpoint.ts';
import { readFreeze } from '../shared/storage/reviews/freeze.ts';
import { serviceName } from '../shared/util/service-name.ts';

/** Returns `disabled` only for a loaded, empty list without required tokens. An unavailable list refuses all callers. */
const describeAuthentication = async (): Promise<ServiceInfo['authentication']> => {
  const list = await tokens.current();
  return list?.entries.length === 0 && !areTokensRequired() ? 'disabled' : 'enabled';
};

const toGate = (base: string, { path }: Page): string => `${base}${path.replace('{path+}', '')}`;

export const handler = leadingEndpoint(routes.showService, pages.showConsole, async (base) => ({
  name: serviceName,
  version: packageJson.version,
  authentication: await describeAuthentication(),
  sign_in: readTrustedIssuers().signIn,
  job_audience: readTrustedIssuers().jobAudience,
  freeze: (await readFreeze()) ?? null,
  links: {
    openapi: `${base}${pages.showOpenapi.path}`,
    console: `${base}${pages.showConsole.path}`,
    docs: `${base}${pages.showDocs.path}`,
    command_line: `${base}${pages.showCommandLine.path}`,
    npm: toGate(base, pages.serveNpm),
    pypi: `${toGate(base, pages.servePypi)}simple/`,
    maven: toGate(base, pages.serveMaven),
  },
}));
