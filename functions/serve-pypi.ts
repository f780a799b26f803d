import { pages } from '../shared/api/non-api-routes.ts';
import { readGateSettings } from '../shared/api/settings/env.ts';
import { formatProject } from '../shared/ecosystems/pypi/gate/project.ts';
import { servePypi } from '../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { gate } from '../shared/platform/http/gate-endpoint.ts';
import { readHeader } from '../shared/platform/http/gateway-request.ts';

const json = /application\/vnd\.pypi\.simple\.(?:v1|latest)\+json/;

export const handler = gate(
  pages.servePypi,
  async ({ path, base, event, now, freeze, compareState }) => {
    // Installers that support both formats accept both; clients that do not accept JSON get HTML.
    const isJson = readHeader(event, 'Accept').some((value) => json.test(value));
    const contentType = isJson ? 'application/vnd.pypi.simple.v1+json' : 'text/html; charset=utf-8';
    const isKnown = compareState(contentType);
    const answer = await servePypi(path, {
      ...{ base, now, freeze, isKnown },
      ...readGateSettings('pypi'),
    });
    if ('location' in answer) return answer;
    if ('unchanged' in answer) return { ...answer, contentType };
    const { document, state } = answer;
    return {
      text: isJson ? JSON.stringify(document) : formatProject(document),
      contentType,
      state,
    };
  },
);
