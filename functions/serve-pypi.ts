import { pages } from '../shared/api/non-api-routes.ts';
import { readGateSettings } from '../shared/api/settings/env.ts';
import { formatProject } from '../shared/ecosystems/pypi/gate/project.ts';
import { servePypi } from '../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { gate } from '../shared/platform/http/gate-endpoint.ts';
import { readHeader } from '../shared/platform/http/gateway-request.ts';

const json = /application\/vnd\.pypi\.simple\.(?:v1|latest)\+json/;

export const handler = gate(pages.servePypi, async ({ path, base, event, now, freeze }) => {
  const answer = await servePypi(path, { base, now, freeze, ...readGateSettings('pypi') });
  if ('location' in answer) return answer;
  const { project } = answer;
  // Installers that support both formats accept both; clients that do not accept JSON get HTML.
  return readHeader(event, 'Accept').some((value) => json.test(value))
    ? { text: JSON.stringify(project), contentType: 'application/vnd.pypi.simple.v1+json' }
    : { text: formatProject(project), contentType: 'text/html; charset=utf-8' };
});
