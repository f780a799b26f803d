import { pages } from '../shared/api/non-api-routes.ts';
import { readGateSettings } from '../shared/api/settings/env.ts';
import { serveNpm } from '../shared/ecosystems/npm/gate/serve-npm.ts';
import { gate } from '../shared/platform/http/gate-endpoint.ts';
import { readHeader } from '../shared/platform/http/gateway-request.ts';

const abbreviated = 'application/vnd.npm.install-v1+json';

/** Returns the content type of a packument. Clients that accept the abbreviated type get it, with the same content. */
const chooseType = (accept: readonly string[]): string =>
  accept.some((value) => value.includes(abbreviated)) ? abbreviated : 'application/json';

export const handler = gate(
  pages.serveNpm,
  async ({ path, base, event, now, freeze, compareState }) => {
    const contentType = chooseType(readHeader(event, 'Accept'));
    const isKnown = compareState(contentType);
    const answer = await serveNpm(path, { base, now, freeze, isKnown, ...readGateSettings('npm') });
    if ('location' in answer) return answer;
    if ('unchanged' in answer) return { ...answer, contentType };
    return { text: JSON.stringify(answer.document), contentType, state: answer.state };
  },
);
