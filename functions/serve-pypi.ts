import { readFileRules } from '../shared/config/env.ts';
import { formatProject } from '../shared/gate/pypi/project.ts';
import { servePypi } from '../shared/gate/pypi/serve-pypi.ts';
import { gate } from '../shared/http/gate.ts';
import { readHeader } from '../shared/http/gateway-request.ts';
import { pages } from '../shared/pages.ts';

const json = /application\/vnd\.pypi\.simple\.(?:v1|latest)\+json/;

export const handler = gate(pages.servePypi, async ({ path, base, event, now }) => {
  const answer = await servePypi(path, { base, files: readFileRules('pypi'), now });
  if ('location' in answer) return answer;
  const { project } = answer;
  // Installers that know both name both; what says nothing of JSON reads HTML.
  return readHeader(event, 'Accept').some((value) => json.test(value))
    ? { text: JSON.stringify(project), contentType: 'application/vnd.pypi.simple.v1+json' }
    : { text: formatProject(project), contentType: 'text/html; charset=utf-8' };
});
